import { MICROVM_MEMORY_MIN_MIB } from '../../shared/settings/engine-settings.ts';
import type { Profile, SandboxLimits } from '../../shared/settings/schema.ts';
import { ENGINE_NAMES, type EngineKind } from '../../shared/terminal/engine-status.ts';

/** Fields of a profile that some engine has nothing for. */
export type OwnField = 'network' | 'project' | 'scratch' | 'environment' | 'secondLook' | 'limits';

export interface EngineFacts {
  readonly name: string;
  /** What its sandboxes are, in a few words. */
  readonly what: string;
  /** A program that there is in any case. */
  readonly command: readonly string[];
  /** What it has not, and what is so instead: a sentence each. */
  readonly lacks: Readonly<Partial<Record<OwnField, string>>>;
  /** The least that a limit may be on it, where that is more than the settings take. */
  readonly limitMins?: Readonly<Partial<Record<keyof SandboxLimits, number>>>;
  /** What is different about its limits. */
  readonly limitsNote?: string;
  /** What is going on while a session opens, where that takes long. */
  readonly opening?: string;
  /** What a field means on it, where that is not what the schema says. */
  readonly words?: Readonly<Partial<Record<'network' | 'command', string>>>;
}

const PROGRAM = 'The program inside the sandbox and its arguments, in quotes where they hold blanks.';

/** What the program of a profile is, on its engine. */
export function commandWords(engine: EngineKind): string {
  return ENGINE_FACTS[engine].words?.command ?? PROGRAM;
}

/** What a pane says until its program runs. */
export function openingWords(engine: EngineKind): string {
  return ENGINE_FACTS[engine].opening ?? 'Opening…';
}

const NO_GOVERNED = 'Governed sessions do not run on this engine, so nothing is published from one.';

export const ENGINE_FACTS: Readonly<Record<EngineKind, EngineFacts>> = {
  bubblewrap: {
    name: ENGINE_NAMES.bubblewrap,
    what: 'A sandbox of this Linux machine. No daemon, no image.',
    command: ['/bin/bash'],
    lacks: {},
  },
  container: {
    name: ENGINE_NAMES.container,
    what: 'A container of its own, by Docker, Podman or gVisor.',
    command: ['/bin/sh'],
    lacks: {},
    words: {
      network: 'None: nothing but its own loopback. On: everything that the daemon’s machine can reach.',
      command: 'A program of the image and its arguments, in quotes where they hold blanks.',
    },
    limitsNote:
      'With gVisor at least 128 processes, which its own kernel needs. What the daemon cannot enforce, the pane says is unbounded.',
  },
  attach: {
    name: ENGINE_NAMES.attach,
    what: 'A program inside a container that runs already.',
    command: ['/bin/sh'],
    lacks: {
      network: 'What the container has: Airlock cannot take it away.',
      project: 'None is added: a running container keeps the folders that it was started with.',
      scratch: 'None is added: a running container keeps the folders that it was started with.',
      limits: 'Those that the container was started with, shared with everything else in it.',
      secondLook: NO_GOVERNED,
    },
    words: { command: 'A program of the container and its arguments, in quotes where they hold blanks.' },
  },
  smolvm: {
    name: ENGINE_NAMES.smolvm,
    what: 'A virtual machine of a smolvm server, which is kept.',
    command: ['/bin/sh'],
    lacks: {
      project: 'None is added: a machine has the folders that it was created with.',
      scratch: 'None is added: a machine has the folders that it was created with.',
      environment: 'smolvm takes no variables for a terminal.',
      limits: 'Memory and CPU are what the machine was created with.',
      secondLook: NO_GOVERNED,
    },
    words: {
      network: 'None: sessions open only on a machine that has none. On: on any machine.',
      command: 'One program of the machine’s image. smolvm passes no arguments to it.',
    },
  },
  microvm: {
    name: ENGINE_NAMES.microvm,
    what: 'A virtual machine of its own, gone with the session.',
    opening: 'The machine starts… Without KVM that takes some seconds, and more where much else runs.',
    command: ['/bin/sh'],
    lacks: {
      network: 'None: the machine is built without a network device.',
      project: 'None: the machine sees no folder of this one.',
      scratch: 'None: the machine sees no folder of this one.',
    },
    limitMins: { memoryMiB: MICROVM_MEMORY_MIN_MIB },
    limitsNote:
      'The machine’s own kernel and file system take about 90 MiB of its memory. CPU is given in whole cores, one at least.',
  },
};

/** Another engine, and its own program where the one before had its own: /bin/bash is not in every image. */
export function switchEngine(profile: Profile, engine: EngineKind): Pick<Profile, 'engine' | 'command'> {
  const isStandard = sameArgv(profile.command, ENGINE_FACTS[profile.engine].command);
  return { engine, command: isStandard ? [...ENGINE_FACTS[engine].command] : profile.command };
}

/** Whether a profile asks for something that its engine has nothing for: then no session opens. */
export function asksFor(profile: Profile, field: OwnField): boolean {
  switch (field) {
    case 'network':
      return profile.network === 'host';
    case 'project':
    case 'scratch':
      return profile[field] !== null;
    case 'environment':
      return Object.keys(profile.environment).length > 0;
    case 'secondLook':
    case 'limits':
      return false;
  }
}

function sameArgv(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((argument, index) => argument === b[index]);
}

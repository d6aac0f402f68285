import {
  attachSettingsSchema,
  containerSettingsSchema,
  smolvmSettingsSchema,
} from '../../shared/settings/engine-settings.ts';
import type { Profile } from '../../shared/settings/schema.ts';
import { isLoopback } from '../../shared/settings/symbiont-address.ts';
import { ENGINE_FACTS } from './engine-facts.ts';

/** The field that a danger comes from; its words stand there as well. */
export type DangerField =
  | 'network'
  | 'scratch'
  | 'endpoint'
  | 'container'
  | 'startMachine'
  | 'clipboardWrite'
  | 'recordInput';

/** A choice that lets more in or out than the standard, or gives something away: what then is so, as sentences. */
export interface Danger {
  readonly field: DangerField;
  /** A few words, for lists. */
  readonly title: string;
  readonly words: string;
}

/** Of what a profile says for the engine that it has; the worst first. What the engine has nothing for is none. */
export function dangersOf(profile: Profile): Danger[] {
  const { lacks } = ENGINE_FACTS[profile.engine];
  const elsewhere = otherMachine(profile);
  const found: (Danger | false)[] = [
    profile.engine === 'attach' && ATTACH,
    elsewhere !== null && {
      field: 'endpoint',
      title: `runs on ${elsewhere}`,
      words: `Sessions run on ${elsewhere}, not on this machine. Whoever rules it sees and can change everything in them.`,
    },
    profile.network === 'host' && lacks.network === undefined && networkOn(profile),
    profile.scratch !== null && lacks.scratch === undefined && SCRATCH,
    profile.engine === 'smolvm' && smolvmSettingsSchema.parse(profile.smolvm ?? {}).startMachine && START,
    profile.clipboardWrite === 'allow' && CLIPBOARD,
    profile.record && profile.recordInput && INPUT,
  ];
  return found.filter((danger) => danger !== false);
}

const ATTACH: Danger = {
  field: 'container',
  title: 'inside a running container',
  words:
    'The program runs beside what is there, as the container’s own user: root, unless its image says otherwise. It can change the container’s files and reach what the container reaches, and what it leaves stays.',
};

const SCRATCH: Danger = {
  field: 'scratch',
  title: 'writable folder',
  words: 'The program can change and delete everything in this folder.',
};

const START: Danger = {
  field: 'startMachine',
  title: 'starts its machine',
  words:
    'Opening a session boots the machine where it is stopped, with everything that starts in it. It goes on running after the session.',
};

const CLIPBOARD: Danger = {
  field: 'clipboardWrite',
  title: 'sets the clipboard unasked',
  words: 'A program can put a command where you paste next, without a question.',
};

const INPUT: Danger = {
  field: 'recordInput',
  title: 'records what is typed',
  words: 'Passwords that are typed stand in the transcript, although no screen shows them.',
};

function networkOn({ engine }: Profile): Danger {
  const words =
    engine === 'smolvm'
      ? 'The machine may have a network: the program reaches what that reaches, and can send what it reads anywhere.'
      : 'The program reaches everything that the machine it runs on reaches, and can send what it reads anywhere.';
  return { field: 'network', title: 'network on', words };
}

/** The other machine that the engine of a profile works on; null for this one, and for an address that is none. */
export function otherMachine(profile: Profile): string | null {
  switch (profile.engine) {
    case 'container':
      return hostOf(containerSettingsSchema.parse(profile.container ?? {}).endpoint);
    case 'attach':
      return hostOf(attachSettingsSchema.parse(profile.attach ?? {}).endpoint);
    case 'smolvm':
      return hostOf(smolvmSettingsSchema.parse(profile.smolvm ?? {}).address);
    default:
      return null;
  }
}

function hostOf(address: string): string | null {
  const [, scheme, authority = ''] = /^(tcp|ssh|https?):\/\/([^/]+)/.exec(address) ?? [];
  if (scheme === undefined) return null;
  const host = authority.replace(/^.*@/, '').replace(/:\d+$/, '').toLowerCase();
  return host === '' || isLoopback(host) ? null : host;
}

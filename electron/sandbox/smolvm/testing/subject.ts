import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Profile } from '../../../../shared/settings/schema.ts';
import type { TerminalSize } from '../../../../shared/terminal/size.ts';
import type { SandboxSpec, SandboxTerminal } from '../../engine.ts';
import type { RunningSubject, Subject } from '../../testing/conformance/subject.ts';
import { SmolvmEngine } from '../engine.ts';
import { MemoryTokens } from './memory-tokens.ts';
import { machine, SmolvmPeer } from './peer.ts';
import { onPty } from './pty-program.ts';

const NO_MACHINE = 'the server of the tests runs programs of this machine, in no virtual machine';

const NO_EXIT = 'smolvm confirms no more than an exit';

/** The engine against a hand-written server that runs real programs on real PTYs. */
export const SMOLVM: Subject = {
  name: 'smolvm',
  obstacle: () => (process.platform === 'linux' ? null : 'the server of its tests needs Linux'),
  excused: {
    'ST-5 the program begins at the right size':
      'smolvm opens a terminal at 80×24 and gives it its size when the program runs',
    'ST-24 a release leaves nothing, daemons included': NO_EXIT,
    'ST-24 B31 a flood that nobody reads is ended in time, and its end is not called a success': NO_EXIT,
    'ST-6 an opening that is cancelled, early or late, leaves nothing':
      'what a terminal ran may outlive it in its machine, which stays',
    'ST-26 what a killed host left is removed by the next one': 'a machine stays, and is blocked',
    'has no network unless its profile says so': NO_MACHINE,
    'sees no file and no variable of the host': NO_MACHINE,
    'is no privileged user, and cannot write to its system': NO_MACHINE,
    'bounds processes, and says by how many': NO_MACHINE,
    'bounds memory, and says by how much': NO_MACHINE,
    'bounds /tmp and the home folder': NO_MACHINE,
  },
  start: startSubject,
};

async function startSubject(): Promise<RunningSubject> {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-smolvm-'));
  const peer = await SmolvmPeer.listen({ path: join(folder, 's.sock') });
  peer.program = onPty;
  return {
    engine: new ManyMachines(peer, folder),
    profile: { smolvm: settings(peer, 'dev') },
    shell: ['/bin/bash', '--norc', '--noprofile'],
    connects: () => 'false',
    networkOn: null,
    unbounded: [],
    tails: { runs: 100, atOnce: 4 },
    lose: async () => {
      peer.terminals.at(-1)?.socket.destroy();
    },
    leftovers: async () => [],
    hostArguments: [],
    stop: async () => {
      await peer.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Every session in a machine of its own; the command, which smolvm takes no arguments of, in a file. */
class ManyMachines extends SmolvmEngine {
  readonly #peer: SmolvmPeer;
  readonly #folder: string;
  #count = 0;

  constructor(peer: SmolvmPeer, folder: string) {
    // The server of the tests looks at its input at once.
    super({ dataDir: folder, tokens: new MemoryTokens(), timing: { paceMs: 10 } });
    this.#peer = peer;
    this.#folder = folder;
  }

  override open(spec: SandboxSpec, size: TerminalSize, signal: AbortSignal): Promise<SandboxTerminal> {
    const name = `m${this.#count++}`;
    this.#peer.machines.push(machine(name));
    const program = join(this.#folder, `${name}.sh`);
    const quoted = spec.profile.command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
    writeFileSync(program, `#!/bin/sh\nexec ${quoted.join(' ')}\n`, { mode: 0o755 });
    const profile = { ...spec.profile, command: [program], smolvm: settings(this.#peer, name) };
    return super.open({ ...spec, profile }, size, signal);
  }
}

function settings({ address }: SmolvmPeer, name: string): NonNullable<Profile['smolvm']> {
  return {
    ...{ address, machine: name, startMachine: false },
    ...{ certificateAuthority: null, clientCertificate: null, clientKey: null },
    ...{ sessionMs: 600_000, idleMs: 600_000, closeMs: 1_000, attachMs: 5_000 },
    ...{ maxBufferBytes: 262_144, maxInputBytes: 16_384, maxRequestBytes: 1_048_576 },
  };
}

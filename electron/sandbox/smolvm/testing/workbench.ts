import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { afterEach, beforeEach } from 'vitest';
import type { SmolvmSettings } from '../../../../shared/settings/engine-settings.ts';
import { type Profile, profileSchema } from '../../../../shared/settings/schema.ts';
import type { TerminalSize } from '../../../../shared/terminal/size.ts';
import type { SandboxTerminal } from '../../engine.ts';
import { SmolvmEngine } from '../engine.ts';
import type { SmolvmTiming } from '../limits.ts';
import type { TokenKeeper } from '../machines.ts';
import { MemoryTokens } from './memory-tokens.ts';
import { type Program, SmolvmPeer } from './peer.ts';

/** A server, an engine, and a data folder, for one test each. */
export interface Workbench {
  readonly folder: string;
  peer: SmolvmPeer;
  readonly tokens: TokenKeeper;
  engine: SmolvmEngine;
  /** Another engine on the same data folder. */
  restart(timing?: Partial<SmolvmTiming>): SmolvmEngine;
  /** Replaces the peer, which listens on a Unix socket, by one on TCP. */
  useTcp(security?: TlsOptions): Promise<SmolvmPeer>;
  profile(settings?: Partial<SmolvmSettings>, more?: Partial<Profile>): Profile;
  open(
    settings?: Partial<SmolvmSettings>,
    signal?: AbortSignal,
    size?: TerminalSize,
  ): Promise<SandboxTerminal>;
  /** Opens with this program on the server. */
  run(program: Program, settings?: Partial<SmolvmSettings>): Promise<Reading>;
}

/** A terminal whose output is read as it comes. */
export interface Reading {
  readonly terminal: SandboxTerminal;
  /** Each piece that was delivered, and `null` once the end was told. */
  readonly delivered: (Buffer | null)[];
  readonly bytes: Buffer;
}

export function read(terminal: SandboxTerminal): Reading {
  const delivered: (Buffer | null)[] = [];
  terminal.onOutput((bytes) => delivered.push(Buffer.from(bytes)));
  void terminal.ended.then(() => delivered.push(null));
  return {
    terminal,
    delivered,
    get bytes() {
      return Buffer.concat(delivered.filter((one) => one !== null));
    },
  };
}

/**
 * Milliseconds for what a server answers at once, on a loaded machine too; a test of what it leaves undone has shorter ones.
 * `CLOSE_MS` is the most that a profile may say.
 */
const ANSWER_MS = 10_000;
const CLOSE_MS = 5_000;

export function smolvmWorkbench(own: Partial<SmolvmTiming> = {}): Workbench {
  const timing = { readMs: ANSWER_MS, writeMs: ANSWER_MS, ...own };
  let folder: string;
  let tokens: TokenKeeper;
  const opened: SandboxTerminal[] = [];

  const bench = {
    get folder() {
      return folder;
    },
    get tokens() {
      return tokens;
    },
    restart(other: Partial<SmolvmTiming> = {}) {
      bench.engine = new SmolvmEngine({ dataDir: folder, tokens, timing: { ...timing, ...other } });
      return bench.engine;
    },
    async useTcp(security?: TlsOptions) {
      await bench.peer.close();
      bench.peer = await SmolvmPeer.listen({ port: 0 }, security);
      return bench.peer;
    },
    profile: (settings: Partial<SmolvmSettings> = {}, more: Partial<Profile> = {}) =>
      profileSchema.parse({
        id: 'vm',
        name: 'VM',
        engine: 'smolvm',
        command: ['/bin/sh'],
        smolvm: { address: bench.peer.address, machine: 'dev', closeMs: CLOSE_MS, ...settings },
        ...more,
      }),
    async open(
      settings: Partial<SmolvmSettings> = {},
      signal = new AbortController().signal,
      size: TerminalSize = { cols: 80, rows: 24 },
    ) {
      const spec = { sessionId: 'session', profile: bench.profile(settings), project: null };
      const terminal = await bench.engine.open(spec, size, signal);
      opened.push(terminal);
      return terminal;
    },
    async run(program: Program, settings: Partial<SmolvmSettings> = {}) {
      bench.peer.program = program;
      return read(await bench.open(settings));
    },
  } as Workbench;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'airlock-smolvm-'));
    tokens = new MemoryTokens();
    bench.peer = await SmolvmPeer.listen({ path: join(folder, 's.sock') });
    bench.restart();
  });

  afterEach(async () => {
    // Before the terminals: none waits for an exit that its server does not tell.
    await bench.peer.close();
    await Promise.all(opened.splice(0).map((terminal) => terminal.release()));
    rmSync(folder, { recursive: true });
  });
  return bench;
}

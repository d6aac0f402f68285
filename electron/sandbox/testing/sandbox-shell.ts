import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Profile, profileSchema } from '../../../shared/settings/schema.ts';
import type { Outcome } from '../../../shared/terminal/outcome.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import { BubblewrapEngine } from '../bubblewrap/engine.ts';
import type { SandboxTerminal } from '../engine.ts';
import { readProcess } from '../process-identity.ts';
import { waitUntil } from '../wait.ts';

/** Milliseconds that a test waits for output or a state before it fails. */
const PATIENCE_MS = 20_000;

const WIDE: TerminalSize = { cols: 133, rows: 41 };

/** A profile with a program, and whatever else the test is about. */
export function profileOf(command: readonly string[], rest: Partial<Profile> = {}): Profile {
  return profileSchema.parse({ id: 'test', name: 'Test', command, ...rest });
}

/** A bash without start-up files that runs `script`. */
export function script(text: string): string[] {
  return ['/bin/bash', '--norc', '--noprofile', '-c', text];
}

/** An interactive bash without start-up files, whose prompt is `ready$ `. */
export const INTERACTIVE = {
  command: ['/bin/bash', '--norc', '--noprofile', '-i'],
  environment: { PS1: 'ready$ ' },
} as const;

/** One real sandbox and everything that it has written. */
export class SandboxShell {
  readonly terminal: SandboxTerminal;
  readonly #patienceMs: number;
  #buffer = Buffer.alloc(64 * 1024);
  /** Bytes that have come, and where the last wait has found what it waited for. */
  #length = 0;
  #seen = 0;

  constructor(terminal: SandboxTerminal, patienceMs = PATIENCE_MS) {
    this.terminal = terminal;
    this.#patienceMs = patienceMs;
    terminal.onOutput((chunk) => this.#keep(chunk));
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  get text(): string {
    return this.bytes.toString('utf8');
  }

  type(text: string): Promise<void> {
    return this.terminal.write(Buffer.from(text));
  }

  /** Resolves when `text` has come after what the last call waited for. */
  async shows(text: string): Promise<void> {
    const shown = await waitUntil(() => this.bytes.includes(text, this.#seen), this.#patienceMs);
    const rest = this.bytes.subarray(this.#seen);
    if (!shown) throw new Error(`"${text}" did not come after: ${JSON.stringify(endOf(rest))}`);
    this.#seen += rest.indexOf(text) + Buffer.byteLength(text);
  }

  #keep(chunk: Uint8Array): void {
    while (this.#length + chunk.length > this.#buffer.length)
      this.#buffer = Buffer.concat([this.#buffer, Buffer.alloc(this.#buffer.length)]);
    this.#buffer.set(chunk, this.#length);
    this.#length += chunk.length;
  }
}

/** Bytes that a failed test shows of what came instead. */
const SHOWN_MAX = 2_000;

function endOf(bytes: Buffer): string {
  return bytes.subarray(-SHOWN_MAX).toString('utf8');
}

/** Opens sandboxes for one test, and ends them. */
export class SandboxBench {
  readonly folder = mkdtempSync(join(tmpdir(), 'airlock-sandbox-'));
  readonly engine = new BubblewrapEngine({ privateFolders: [] });
  readonly #opened: SandboxTerminal[] = [];

  async open(profile: Profile, size: TerminalSize = WIDE): Promise<SandboxShell> {
    const spec = { sessionId: 'test', profile, project: null };
    const terminal = await this.engine.open(spec, size, new AbortController().signal);
    this.#opened.push(terminal);
    return new SandboxShell(terminal);
  }

  /** Opens, waits for the end, and gives back what was written. */
  async run(
    profile: Profile,
    size?: TerminalSize,
  ): Promise<{ text: string; outcome: Outcome; shell: SandboxShell }> {
    const shell = await this.open(profile, size);
    const outcome = await shell.terminal.ended;
    return { text: shell.text, outcome, shell };
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map((terminal) => terminal.release()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Processes of the machine, zombies aside, whose arguments hold `marker`. */
export function processesWith(marker: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    const process_ = readProcess(pid);
    return process_ && process_.state !== 'Z' && commandLine(pid).includes(marker) ? [pid] : [];
  });
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

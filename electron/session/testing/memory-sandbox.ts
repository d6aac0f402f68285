import type { Disposable } from '../../../shared/disposable.ts';
import type { EngineKind, EngineStatus } from '../../../shared/terminal/engine-status.ts';
import type { Outcome, ReleaseReport } from '../../../shared/terminal/outcome.ts';
import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import type {
  RecoveryReport,
  SandboxEngine,
  SandboxIdentity,
  SandboxSpec,
  SandboxTerminal,
} from '../../sandbox/engine.ts';

const POSTURE: SandboxPosture = {
  engine: 'memory',
  engineVersion: '1',
  network: 'none',
  mounts: [],
  user: 'nobody',
  limits: {
    memoryBytes: null,
    processes: null,
    openFiles: null,
    cpuPercent: null,
    homeBytes: null,
    tmpBytes: null,
    enforcedBy: 'nothing',
  },
  recorded: false,
};

/**
 * A terminal without a sandbox that keeps the contract of SandboxTerminal: a "kernel buffer" that holds output while
 * nobody reads, and an end that comes after the last byte whether or not it is paused. The test plays the program.
 */
export class MemoryTerminal implements SandboxTerminal {
  readonly outFolder = null;
  readonly identity: SandboxIdentity;
  readonly posture = POSTURE;
  readonly ended: Promise<Outcome>;
  /** Everything the session did to the terminal, in order. */
  readonly log: string[] = [];
  written = '';
  reading = true;

  /** Replace them to make the terminal hang, refuse or lie. */
  onWrite: (bytes: Uint8Array) => Promise<void> = async () => {};
  onResize: (size: TerminalSize) => Promise<void> = async () => {};
  onBreak: () => Promise<string | null> = async () => 'Interrupt';
  onRelease: () => Promise<ReleaseReport> = async () => ({ removed: true, steps: [] });

  #listener: ((bytes: Uint8Array) => void) | null = null;
  #kernelBuffer: Uint8Array[] = [];
  #outcome: Outcome | null = null;
  readonly #end: (outcome: Outcome) => void;

  constructor(name = '1') {
    this.identity = { kind: 'machine', machine: 'memory', execution: name };
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.ended = promise;
    this.#end = resolve;
  }

  get kernelBytes(): number {
    return this.#kernelBuffer.reduce((sum, { length }) => sum + length, 0);
  }

  /** The program prints. */
  print(output: string | Uint8Array): void {
    this.#kernelBuffer.push(typeof output === 'string' ? Buffer.from(output) : output);
    if (this.reading) this.#deliver();
  }

  /** The program ends. */
  exit(outcome: Outcome): void {
    this.#outcome = outcome;
    if (this.#listener) this.#drain();
  }

  onOutput(listener: (bytes: Uint8Array) => void): Disposable {
    this.#listener = listener;
    if (this.reading) this.#deliver();
    if (this.#outcome) this.#drain();
    return {
      dispose: () => {
        this.#listener = null;
      },
    };
  }

  pause(): void {
    this.log.push('pause');
    this.reading = false;
  }

  resume(): void {
    this.log.push('resume');
    this.reading = true;
    this.#deliver();
  }

  async write(bytes: Uint8Array): Promise<void> {
    const text = bytes.length > 1000 ? `${bytes.length} bytes` : Buffer.from(bytes).toString();
    this.log.push(`write ${JSON.stringify(text)}`);
    this.written += text;
    await this.onWrite(bytes);
  }

  async resize(size: TerminalSize): Promise<void> {
    this.log.push(`resize ${size.cols}x${size.rows}`);
    await this.onResize(size);
  }

  sendBreak(): Promise<string | null> {
    this.log.push('break');
    return this.onBreak();
  }

  async release(): Promise<ReleaseReport> {
    this.log.push('release');
    const report = await this.onRelease();
    if (report.removed && !this.#outcome) this.exit({ kind: 'signalled', signal: 1, name: 'SIGHUP' });
    return report;
  }

  #drain(): void {
    this.#deliver();
    if (this.#outcome) this.#end(this.#outcome);
  }

  #deliver(): void {
    if (!this.#listener) return;
    for (let bytes = this.#kernelBuffer.shift(); bytes; bytes = this.#kernelBuffer.shift()) {
      this.#listener(bytes);
      if (!this.reading && !this.#outcome) return;
    }
  }
}

/** Opens MemoryTerminals; `terminals` are those it opened, `onOpen` may wait or throw. */
export class MemoryEngine implements SandboxEngine {
  readonly kind: EngineKind;
  readonly runsWorkers = true;
  leftByOpening?: string;
  readonly terminals: MemoryTerminal[] = [];
  readonly recovered: SandboxIdentity[] = [];
  onOpen: (terminal: MemoryTerminal, signal: AbortSignal, spec: SandboxSpec) => Promise<void> =
    async () => {};
  onRecover: (identity: SandboxIdentity) => Promise<RecoveryReport> = async () => ({ kind: 'absent' });

  constructor(kind: EngineKind = 'bubblewrap') {
    this.kind = kind;
  }

  async probe(): Promise<EngineStatus> {
    return { kind: this.kind, usable: true, version: '1', summary: '', fixes: [], notes: [] };
  }

  async open(spec: SandboxSpec, _size: TerminalSize, signal: AbortSignal): Promise<SandboxTerminal> {
    const terminal = new MemoryTerminal(String(this.terminals.length + 1));
    await this.onOpen(terminal, signal, spec);
    this.terminals.push(terminal);
    return terminal;
  }

  recover(identity: SandboxIdentity): Promise<RecoveryReport> {
    this.recovered.push(identity);
    return this.onRecover(identity);
  }
}

import type { EngineKind } from '../../../../shared/terminal/engine-status.ts';
import type { Outcome, ReleaseReport } from '../../../../shared/terminal/outcome.ts';
import type { SandboxPosture } from '../../../../shared/terminal/posture.ts';
import type { Worker, WorkerSpec, Workers } from '../../ports.ts';

export const SCRIPTED_POSTURE: SandboxPosture = {
  engine: 'scripted',
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

/** A program whose part the test plays. It keeps the contract of Worker: the end comes after the last byte. */
export class ScriptedWorker implements Worker {
  readonly posture = SCRIPTED_POSTURE;
  readonly ended: Promise<Outcome>;
  /** Everything that was done to it, in order. */
  readonly log: string[];
  written = '';
  /** What it answers a line with, at once; null for nothing. */
  answer: (line: string) => string | null = () => null;
  onWrite: () => Promise<void> = async () => {};
  onRelease: () => Promise<ReleaseReport> = async () => ({ removed: true, steps: [] });
  #listener: (bytes: Uint8Array) => void = () => {};
  readonly #end: (outcome: Outcome) => void;
  readonly #fail: (error: Error) => void;

  constructor(log: string[]) {
    this.log = log;
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    promise.catch(() => {});
    this.ended = promise;
    this.#end = resolve;
    this.#fail = reject;
  }

  onOutput(listener: (bytes: Uint8Array) => void): void {
    this.#listener = listener;
  }

  async write(bytes: Uint8Array): Promise<void> {
    const line = Buffer.from(bytes).toString();
    this.log.push(`write ${JSON.stringify(line)}`);
    await this.onWrite();
    this.written += line;
    const answer = this.answer(line.trimEnd());
    if (answer !== null) this.print(answer);
  }

  async release(): Promise<ReleaseReport> {
    this.log.push('release');
    const report = await this.onRelease();
    this.exit();
    this.log.push(report.removed ? 'removed' : 'not removed');
    return report;
  }

  /** The buffer is used again, as a real reader's is. */
  print(output: string | Uint8Array): void {
    const bytes = Buffer.from(output);
    this.#listener(bytes);
    bytes.fill(0x21);
  }

  exit(): void {
    this.#end({ kind: 'exited', code: 0 });
  }

  breakReading(message: string): void {
    this.#fail(new Error(message));
  }
}

/** Starts scripted workers, as the test wants: at once, late, or not at all. */
export class ScriptedWorkers implements Workers {
  readonly log: string[] = [];
  readonly specs: WorkerSpec[] = [];
  readonly started: ScriptedWorker[] = [];
  problem: string | null = null;
  /** Before the worker is there. */
  onStart: (signal: AbortSignal) => Promise<void> = async () => {};
  /** As soon as somebody listens: the first prompt, for example. */
  onStarted: (worker: ScriptedWorker) => void = (worker) => worker.print('> ');

  supports(engine: EngineKind): boolean {
    return engine === 'bubblewrap';
  }

  problemOf(): string | null {
    return this.problem;
  }

  async start(spec: WorkerSpec, signal: AbortSignal): Promise<Worker> {
    this.specs.push(spec);
    this.log.push('start');
    await this.onStart(signal);
    const worker = new ScriptedWorker(this.log);
    this.started.push(worker);
    setImmediate(() => this.onStarted(worker));
    return worker;
  }

  /** The last one. */
  get worker(): ScriptedWorker {
    const worker = this.started.at(-1);
    if (worker === undefined) throw new Error('No worker was started.');
    return worker;
  }
}

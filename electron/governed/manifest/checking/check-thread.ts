import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CustomTypes } from '../custom-types.ts';
import type { ParsedManifest } from '../parse-manifest.ts';

/** One manifest: its text, and the custom types of its project. */
export interface CheckJob {
  readonly text: string;
  readonly types: CustomTypes;
}

/** From the sources beside this file, or beside the bundle that it is in. */
const ENTRY = join(
  import.meta.dirname,
  basename(import.meta.filename).endsWith('.ts') ? 'worker.ts' : 'manifests.js',
);
/** MiB of JavaScript objects: the syntax tree of one pattern must not take the host's memory. */
const HEAP_MAX_MIB = 256;

/** The thread that checks manifests, one at a time. Made with the first one, and again after it took too much. */
export class CheckThread {
  #worker: Worker | null = null;
  #answered: (parsed: ParsedManifest | null) => void = () => {};

  /** Null when it takes longer than `limitMs` milliseconds, or more memory than there is for it. Never rejects. */
  check(job: CheckJob, limitMs: number): Promise<ParsedManifest | null> {
    const worker = this.#require();
    const { promise, resolve } = Promise.withResolvers<ParsedManifest | null>();
    this.#answered = resolve;
    const late = setTimeout(() => this.#drop(worker), limitMs);
    worker.postMessage(job);
    return promise.finally(() => clearTimeout(late));
  }

  /** What is being checked is answered with null. */
  close(): void {
    if (this.#worker !== null) this.#drop(this.#worker);
  }

  #require(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(ENTRY, {
      name: 'manifests',
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MIB },
    });
    worker.on('message', (parsed: ParsedManifest) => this.#answered(parsed));
    worker.on('error', () => {}); // Its end follows.
    worker.once('exit', () => this.#drop(worker));
    // It does not keep the host alive.
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #drop(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#answered(null);
    void worker.terminate();
  }
}

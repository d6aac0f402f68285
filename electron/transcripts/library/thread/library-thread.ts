import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Failure, FromThread, Role } from './calls.ts';

/** Why a thread did not answer. */
export class ThreadFailure extends Error {
  readonly kind: Failure['kind'] | 'died';

  constructor(kind: Failure['kind'] | 'died', message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface LibraryThreadOptions {
  readonly role: Role;
  readonly folder: string;
  readonly changed: () => void;
  readonly fault: (message: string) => void;
}

/** From the sources beside this file, or beside the bundle that it is in. */
const ENTRY = join(
  import.meta.dirname,
  basename(import.meta.filename).endsWith('.ts') ? 'worker.ts' : 'library.js',
);
/** MiB of JavaScript objects: a program's output must not take the host's memory. */
const HEAP_MAX_MIB = 768;

type Answered<T> = T extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : never;

/** One thread of the library. Made with the first call, and again with the first one after it died. */
export class LibraryThread<Calls> {
  readonly #options: LibraryThreadOptions;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #worker: Worker | null = null;
  #n = 0;
  #closed = false;

  constructor(options: LibraryThreadOptions) {
    this.#options = options;
  }

  /** Rejects with ThreadFailure. */
  call<Name extends keyof Calls & string>(
    name: Name,
    ...args: Calls[Name] extends (...args: infer A) => unknown ? A : never
  ): ReturnType<Answered<Calls[Name]>> {
    const answer = Promise.withResolvers<unknown>();
    if (this.#closed) answer.reject(new ThreadFailure('died', 'The library is closed.'));
    else {
      this.#n += 1;
      this.#waiting.set(this.#n, answer);
      this.#require().postMessage({ n: this.#n, name, args });
    }
    return answer.promise as ReturnType<Answered<Calls[Name]>>;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    this.#gone('The library is closed.');
    await worker?.terminate();
  }

  #require(): Worker {
    if (this.#worker !== null) return this.#worker;
    const { role, folder } = this.#options;
    const worker = new Worker(ENTRY, {
      name: `transcripts-${role}`,
      workerData: { role, folder },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MIB },
    });
    worker.on('message', (message: FromThread) => this.#answered(message));
    worker.on('error', (error) => {
      this.#options.fault(String(error.stack ?? error));
      if (this.#worker === worker) this.#gone(error.message);
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#gone('The thread ended.');
    });
    // It does not keep the host alive.
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #answered(message: FromThread): void {
    if (message.kind === 'changed') this.#options.changed();
    else if (message.kind === 'fault') this.#options.fault(message.message);
    else {
      const waiting = this.#waiting.get(message.n);
      this.#waiting.delete(message.n);
      if (message.kind === 'answer') waiting?.resolve(message.value);
      else waiting?.reject(new ThreadFailure(message.failure.kind, message.failure.message));
    }
  }

  #gone(reason: string): void {
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const each of waiting) each.reject(new ThreadFailure('died', reason));
  }
}

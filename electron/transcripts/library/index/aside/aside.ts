import { basename, join } from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Disposable } from '../../../../../shared/disposable.ts';
import { ASIDE } from '../../../../../shared/transcripts/limits.ts';
import type { Addition } from '../index-store.ts';
import { DONE, FAILED, pack, STATE_LENGTH, type StorerData, type StoringFault } from './messages.ts';

/** From the sources beside this file, or beside the bundle that it is in. */
const ENTRY = join(
  import.meta.dirname,
  basename(import.meta.filename).endsWith('.ts') ? 'storer.ts' : 'storer.js',
);

/** What was handed on before is not all stored; see `isDamage` and `isDiskFull` for what SQLite said. */
export class NotStoredError extends Error {
  readonly errcode: number | undefined;
  readonly code: string | undefined;

  constructor({ message, errcode, code }: StoringFault) {
    super(message);
    this.errcode = errcode;
    this.code = code;
  }
}

interface Thread {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly state: Int32Array<SharedArrayBuffer>;
}

/**
 * Stores additions in a thread of its own, in order, while the next ones are made: packing and SQLite are a third of what
 * indexing takes. The thread is there while there is much to be stored. Who calls may wait, as for a disk; after a
 * failure everything fails, so that what is built on it can be begun anew.
 */
export class Aside implements Disposable {
  readonly #folder: string;
  #thread: Thread | null = null;
  #fault: NotStoredError | null = null;
  /** Characters of additions that are not known to be stored, oldest first. */
  readonly #pending: number[] = [];
  #pendingChars = 0;
  #sent = 0;
  /** By transcript: the number of its last addition. */
  readonly #lastOf = new Map<number, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether an addition is worth the way, or has to stay behind one that went it. Throws NotStoredError. */
  takes({ lines }: Addition): boolean {
    this.#throwFault();
    if (!this.#isSettled(this.#sent)) return true;
    let chars = 0;
    for (const { text } of lines) chars += text.length + 1;
    return chars >= ASIDE.minChars;
  }

  /** Throws NotStoredError when one before it was not stored. */
  add(seq: number, addition: Addition): void {
    this.#throwFault();
    const packed = pack(seq, addition);
    this.#thread ??= this.#start();
    this.#forgetDone();
    while (this.#pendingChars > ASIDE.maxChars) this.#waitFor(this.#sent - this.#pending.length + 1);
    this.#thread.port.postMessage(packed);
    this.#sent += 1;
    this.#pending.push(packed.text.length);
    this.#pendingChars += packed.text.length;
    this.#lastOf.set(seq, this.#sent);
  }

  /** Waits until everything, or everything of one transcript, is stored. Throws NotStoredError. */
  settle(seq?: number): void {
    const last = seq === undefined ? this.#sent : (this.#lastOf.get(seq) ?? 0);
    this.#waitFor(last);
    if (last === this.#sent) this.#lastOf.clear();
  }

  /**
   * Waits until everything is stored, and ends the thread; the next large addition starts another one. Whether there was one.
   * Throws NotStoredError.
   */
  rest(): boolean {
    this.settle();
    const there = this.#thread !== null;
    this.#stop();
    return there;
  }

  /** What is not stored is lost. */
  dispose(): void {
    this.#stop();
  }

  #start(): Thread {
    const { port1, port2 } = new MessageChannel();
    const state = new Int32Array(new SharedArrayBuffer(STATE_LENGTH * Int32Array.BYTES_PER_ELEMENT));
    Atomics.store(state, DONE, this.#sent);
    const worker = new Worker(ENTRY, {
      name: 'transcripts-storer',
      workerData: { folder: this.#folder, state, port: port2 } satisfies StorerData,
      transferList: [port2],
      execArgv: [],
    });
    // Its faults come over the port; one that ends otherwise is waited for in vain, and that is the fault then.
    worker.on('error', () => {});
    worker.unref();
    port1.unref();
    return { worker, port: port1, state };
  }

  #stop(): void {
    void this.#thread?.worker.terminate();
    this.#thread?.port.close();
    this.#thread = null;
  }

  #isSettled(n: number): boolean {
    return this.#thread === null || Atomics.load(this.#thread.state, DONE) >= n;
  }

  #waitFor(n: number): void {
    this.#throwFault();
    if (this.#thread === null) return;
    const { state } = this.#thread;
    for (let done = Atomics.load(state, DONE); done < n; done = Atomics.load(state, DONE))
      if (Atomics.wait(state, DONE, done, ASIDE.deadlineMs) === 'timed-out') this.#fail(OVERDUE);
    this.#forgetDone();
    this.#throwFault();
  }

  #throwFault(): void {
    if (this.#fault !== null) throw this.#fault;
    if (this.#thread === null || Atomics.load(this.#thread.state, FAILED) === 0) return;
    this.#fail(receiveMessageOnPort(this.#thread.port)?.message as StoringFault);
  }

  #fail(fault: StoringFault): never {
    this.#stop();
    this.#fault = new NotStoredError(fault);
    throw this.#fault;
  }

  #forgetDone(): void {
    const done = this.#thread === null ? this.#sent : Atomics.load(this.#thread.state, DONE);
    while (this.#pending.length > this.#sent - done) this.#pendingChars -= this.#pending.shift() ?? 0;
  }
}

const OVERDUE: StoringFault = { message: `The index was not stored within ${ASIDE.deadlineMs} ms.` };

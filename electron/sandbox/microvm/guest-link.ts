import type { Duplex } from 'node:stream';
import type { Disposable } from '../../../shared/disposable.ts';
import { DRAIN_DEADLINE_MS, INPUT_QUEUE_MAX_BYTES } from '../../../shared/terminal/limits.ts';
import type { Outcome } from '../../../shared/terminal/outcome.ts';
import { EngineError } from '../engine.ts';
import { OutputListener } from '../output-listener.ts';
import { type GuestLine, LINE_MAX_BYTES, parseGuestLine } from './protocol.ts';

type Verb = GuestLine['verb'];
type Line<V extends Verb> = Extract<GuestLine, { verb: V }>;

/** The two channels of one machine, as the monitor's driver dialled them. */
export interface Channels {
  readonly control: Duplex;
  readonly data: Duplex;
}

/** What a program left in the files that it could write, in their order. */
export type Collected = readonly Buffer[];

/** Bytes of output that came before anybody listened. The agent's own bound is below that. */
const UNHEARD_MAX_BYTES = 2 * 1024 * 1024;

/** Lines that nobody asks for: its beginning, its failure, the end of its program and of its output. */
const UNASKED_LINES = 4;

interface Waiting {
  readonly verb: Verb;
  readonly resolve: (line: GuestLine) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The host's end of the guest's two channels: lines on one, the terminal's bytes on the other. Everything from the guest is
 * bounded and checked; a line that it must not say ends the link, and `closed` says why.
 */
export class GuestLink {
  /** How the program ended, as the agent said; output may follow. Never, when it did not say. */
  readonly ended: Promise<Outcome>;
  /** When the last byte of output was delivered. Never, where the agent did not say which that is. */
  readonly drained: Promise<void>;
  /** In words, when there is nothing more to be had from the guest. */
  readonly closed: Promise<string>;

  readonly #channels: Channels;
  readonly #waiting: Waiting[] = [];
  readonly #output = new OutputListener(() => this.#applyFlow());
  #resolveEnded: (outcome: Outcome) => void = () => {};
  #resolveDrained: () => void = () => {};
  #resolveClosed: (reason: string) => void = () => {};
  #line = '';
  /** How many more the guest may say: an answer to each question, also a late one. */
  #linesLeft = UNASKED_LINES;
  #draining = false;
  #open = true;
  #silent = false;
  #received = 0;
  #outcome: Outcome | null = null;
  /** Bytes of output altogether, once the agent has said. */
  #total: number | null = null;
  #files: { left: number; readonly chunks: Buffer[]; readonly done: () => void } | null = null;

  constructor(channels: Channels) {
    this.#channels = channels;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.drained = new Promise((resolve) => {
      this.#resolveDrained = resolve;
    });
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    const { control, data } = channels;
    data.pause();
    data.on('data', (chunk: Buffer) => this.#receive(chunk));
    control.on('data', (chunk: Buffer) => this.#receiveLines(chunk));
    const reason = 'The machine closed its channels.';
    for (const [channel, other] of [
      [control, data],
      [data, control],
    ] as const) {
      channel.on('error', () => {});
      channel.on('close', () => {
        if (other.destroyed) return this.#close(reason);
        // What the other still holds is read; it leads nowhere any more.
        this.drain();
        setTimeout(() => other.destroy(), DRAIN_DEADLINE_MS).unref();
      });
    }
  }

  /** Sends a line, and resolves with the next line of that verb. Rejects when the guest is gone or says none in time, where there is a limit. */
  async ask<V extends Verb>(line: string, verb: V, limitMs?: number): Promise<Line<V>> {
    this.#linesLeft += 1;
    const answer = this.next(verb, limitMs);
    if (this.#open) this.#channels.control.write(`${line}\n`);
    return answer;
  }

  /** The next line of that verb. Where the guest says `failed` instead, rejects with EngineError and its reason. */
  next<V extends Verb>(verb: V, limitMs?: number): Promise<Line<V>> {
    if (!this.#open) return Promise.reject(new Error('The machine has ended.'));
    return new Promise((resolve, reject) => {
      const late = () => waiting.reject(new Error(`The guest did not answer within ${limitMs} ms.`));
      const timer = limitMs === undefined ? undefined : setTimeout(late, limitMs);
      const settle = () => {
        clearTimeout(timer);
        const index = this.#waiting.indexOf(waiting);
        if (index >= 0) this.#waiting.splice(index, 1);
      };
      const waiting: Waiting = {
        verb,
        resolve: (line) => {
          settle();
          resolve(line as Line<V>);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
      this.#waiting.push(waiting);
    });
  }

  /** One listener; reading starts with it. */
  onOutput(listener: (bytes: Uint8Array) => void): Disposable {
    return this.#output.set(listener);
  }

  pause(): void {
    this.#output.pause();
  }

  resume(): void {
    this.#output.resume();
  }

  /** Resolves when the channel has the bytes, in call order: the guest takes them as its program does. */
  write(bytes: Uint8Array): Promise<void> {
    const { data } = this.#channels;
    if (!this.#open || this.#outcome) return Promise.reject(new Error('The terminal has ended.'));
    if (data.writableLength + bytes.length > INPUT_QUEUE_MAX_BYTES)
      return Promise.reject(new Error(`More than ${INPUT_QUEUE_MAX_BYTES} bytes of input are waiting.`));
    return new Promise((resolve, reject) => {
      data.write(bytes, (error) => (error ? reject(new Error('The terminal has ended.')) : resolve()));
    });
  }

  /** From here on output is read to its end, whoever has paused it: the machine is being removed. */
  drain(): void {
    this.#draining = true;
    this.#applyFlow();
  }

  /**
   * Ends every process of the guest and fetches its `count` files. Rejects when they are more than `maxBytes` together, or
   * do not come in time.
   */
  async collect(count: number, maxBytes: number, limitMs: number): Promise<Collected> {
    this.drain();
    const start = performance.now();
    const { sizes } = await this.ask('collect', 'collected', limitMs);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    if (sizes.length !== count || bytes > maxBytes)
      throw new Error(
        `The guest has ${sizes.length} files of ${bytes} bytes; ${count} of at most ${maxBytes} were agreed.`,
      );
    const whole = await this.#filesOf(bytes, limitMs - (performance.now() - start));
    let at = 0;
    return sizes.map((size) => {
      at += size;
      return whole.subarray(at - size, at);
    });
  }

  /** Nothing is delivered to the listener any more: the end was told. */
  stopOutput(): void {
    this.#silent = true;
  }

  /** Closes both channels. */
  close(): void {
    this.#channels.control.destroy();
    this.#channels.data.destroy();
    this.#close('The link was closed.');
  }

  #filesOf(bytes: number, limitMs: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const timer = setTimeout(
        () => reject(new Error('The files did not come in time.')),
        Math.max(1, limitMs),
      );
      const done = () => {
        clearTimeout(timer);
        resolve(Buffer.concat(chunks));
      };
      this.#files = { left: bytes, chunks, done };
      if (bytes === 0) done();
      void this.closed.then(() => {
        clearTimeout(timer);
        reject(new Error('The machine ended before its files had come.'));
      });
      this.#channels.control.write('send\n');
    });
  }

  #receive(chunk: Buffer): void {
    const output = this.#total === null ? chunk.length : Math.min(chunk.length, this.#total - this.#received);
    if (output > 0) {
      this.#received += output;
      this.#deliver(chunk.subarray(0, output));
    }
    if (output < chunk.length) this.#receiveFile(chunk.subarray(output));
    this.#settleOutput();
  }

  #deliver(bytes: Buffer): void {
    if (this.#silent) return;
    this.#output.deliver(bytes);
    // Only what comes when the program has ended already: nothing is read before without a listener.
    if (this.#output.unheardBytes > UNHEARD_MAX_BYTES)
      this.#refuse('more output after the end than a terminal holds');
  }

  #receiveFile(bytes: Buffer): void {
    const files = this.#files;
    if (files === null || bytes.length > files.left) {
      this.#refuse('bytes that nobody had asked for');
      return;
    }
    files.chunks.push(Buffer.from(bytes));
    files.left -= bytes.length;
    if (files.left === 0) files.done();
  }

  #settleOutput(): void {
    if (this.#total !== null && this.#received >= this.#total) this.#resolveDrained();
  }

  #receiveLines(chunk: Buffer): void {
    const lines = (this.#line + chunk.toString('latin1')).split('\n');
    this.#line = lines.pop() ?? '';
    if (this.#line.length > LINE_MAX_BYTES) this.#refuse('a line without an end');
    for (const text of lines) {
      if (!this.#open) return;
      const line = text.length > LINE_MAX_BYTES ? null : parseGuestLine(text);
      this.#linesLeft -= 1;
      if (line === null) this.#refuse('a line that is none of its protocol');
      else if (this.#linesLeft < 0) this.#refuse('more lines than it was asked for');
      else this.#take(line);
    }
  }

  #take(line: GuestLine): void {
    if (line.verb === 'ended' && this.#outcome === null) {
      this.#outcome = line.outcome;
      this.#resolveEnded(line.outcome);
      this.drain();
    }
    if (line.verb === 'drained') this.#setTotal(line.bytes);
    if (line.verb === 'collected') this.#setTotal(line.sent);
    const waiting = this.#waiting.find(({ verb }) => verb === line.verb);
    if (waiting) waiting.resolve(line);
    else if (line.verb === 'failed') {
      const error = new EngineError(
        'open-failed',
        `The program could not be started in the machine: ${printable(line.reason)}`,
      );
      for (const each of [...this.#waiting]) each.reject(error);
    }
    this.#settleOutput();
  }

  #setTotal(bytes: number): void {
    if (this.#total === null && bytes >= this.#received) this.#total = bytes;
    else if (this.#total !== bytes) this.#refuse('another number of bytes than it had sent');
  }

  #refuse(what: string): void {
    this.#channels.control.destroy();
    this.#channels.data.destroy();
    this.#close(`The guest sent ${what}.`);
  }

  #close(reason: string): void {
    if (!this.#open) return;
    this.#open = false;
    this.#resolveClosed(reason);
    for (const waiting of [...this.#waiting]) waiting.reject(new Error(reason));
  }

  #applyFlow(): void {
    const { data } = this.#channels;
    if (this.#draining || this.#output.isReady) data.resume();
    else data.pause();
  }
}

function printable(text: string): string {
  return text.replace(/[^ -~]+/g, ' ').slice(0, 300);
}

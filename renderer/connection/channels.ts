import { type Disposable, toDisposable } from '../../shared/disposable.ts';

/** Takes a session's output bytes, in order. */
export interface OutputSink {
  onOutput(bytes: Uint8Array): void;
}

/**
 * Brings output frames to the panes of their channels. Output may come before its pane is attached, right behind the
 * answer to `session.open`: it is kept, and the host's credit bounds it, as nobody acknowledges it. What comes for a
 * channel whose pane has left is dropped.
 */
export class Channels {
  readonly #sinks = new Map<number, OutputSink>();
  readonly #early = new Map<number, Uint8Array[]>();
  /** Channels are numbered once per connection, so this grows by one number per closed session. */
  readonly #left = new Set<number>();

  attach(channel: number, sink: OutputSink): Disposable {
    this.#sinks.set(channel, sink);
    const early = this.#early.get(channel) ?? [];
    this.#early.delete(channel);
    for (const bytes of early) sink.onOutput(bytes);
    return toDisposable(() => {
      this.#sinks.delete(channel);
      this.#left.add(channel);
    });
  }

  deliver(channel: number, bytes: Uint8Array): void {
    const sink = this.#sinks.get(channel);
    if (sink !== undefined) sink.onOutput(bytes);
    else if (!this.#left.has(channel)) this.#keep(channel, bytes);
  }

  clear(): void {
    this.#sinks.clear();
    this.#early.clear();
    this.#left.clear();
  }

  #keep(channel: number, bytes: Uint8Array): void {
    const early = this.#early.get(channel) ?? [];
    early.push(bytes);
    this.#early.set(channel, early);
  }
}

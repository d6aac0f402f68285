import type { HostEvent, LocalNotice } from '../../shared/protocol/events.ts';
import { encodeOutput } from '../../shared/protocol/frames.ts';
import { OUTPUT_FRAME_MAX_BYTES } from '../../shared/terminal/limits.ts';
import type { SessionState } from '../../shared/terminal/session-state.ts';
import type { SessionSink } from '../session/sink.ts';

/** The way to the client. */
export interface Outlet {
  sendFrame(frame: Uint8Array<ArrayBuffer>): void;
  sendEvent(event: HostEvent): void;
}

/**
 * Puts one session's output and events on the wire, in order. The chunks of one turn of the event loop become one
 * frame: the kernel hands out about 4 KiB at a time, and every frame costs the page a task of its own.
 */
export class SessionOutlet implements SessionSink {
  /** To be set before the session tells anything, which is a turn of the event loop after it was opened. */
  sessionId = '';
  readonly #outlet: Outlet;
  readonly #channel: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #flushing: NodeJS.Immediate | null = null;

  constructor(outlet: Outlet, channel: number) {
    this.#outlet = outlet;
    this.#channel = channel;
  }

  output(bytes: Uint8Array): void {
    // Lent bytes: they may change after this call.
    this.#chunks.push(Uint8Array.from(bytes));
    this.#bytes += bytes.length;
    if (this.#bytes >= OUTPUT_FRAME_MAX_BYTES) this.#flush();
    else this.#flushing ??= setImmediate(() => this.#flush());
  }

  state(state: SessionState): void {
    this.#flush();
    this.#outlet.sendEvent({ event: 'session.state', sessionId: this.sessionId, state });
  }

  notice(notice: LocalNotice): void {
    this.#flush();
    this.#outlet.sendEvent({ event: 'session.notice', sessionId: this.sessionId, notice });
  }

  #flush(): void {
    if (this.#flushing !== null) clearImmediate(this.#flushing);
    this.#flushing = null;
    if (this.#bytes === 0) return;
    const frame = encodeOutput(this.#channel, this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    this.#outlet.sendFrame(frame);
  }
}

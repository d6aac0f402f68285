import type { HostEvent, LocalNotice } from '../../shared/protocol/events.ts';
import { encodeOutput } from '../../shared/protocol/frames.ts';
import { OUTPUT_FRAME } from '../../shared/terminal/limits.ts';
import type { SessionState } from '../../shared/terminal/session-state.ts';
import type { SessionSink } from '../session/sink.ts';

/** The way to the client. */
export interface Outlet {
  sendFrame(frame: Uint8Array<ArrayBuffer>): void;
  sendEvent(event: HostEvent): void;
}

/**
 * Puts one session's output and events on the wire, in order. The chunks of a flood are gathered into larger frames
 * (OUTPUT_FRAME); what a person waits for goes out in the same turn of the event loop.
 */
export class SessionOutlet implements SessionSink {
  /** To be set before the session tells anything, which is a turn of the event loop after it was opened. */
  sessionId = '';
  readonly #outlet: Outlet;
  readonly #channel: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #soon: NodeJS.Immediate | null = null;
  #later: NodeJS.Timeout | null = null;

  constructor(outlet: Outlet, channel: number) {
    this.#outlet = outlet;
    this.#channel = channel;
  }

  output(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= OUTPUT_FRAME.maxBytes) this.#flush();
    else if (bytes.length < OUTPUT_FRAME.floodChunkBytes) this.#soon ??= setImmediate(() => this.#flush());
    else this.#later ??= setTimeout(() => this.#flush(), OUTPUT_FRAME.waitMs);
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
    if (this.#soon !== null) clearImmediate(this.#soon);
    if (this.#later !== null) clearTimeout(this.#later);
    this.#soon = null;
    this.#later = null;
    if (this.#bytes === 0) return;
    const frame = encodeOutput(this.#channel, this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    this.#outlet.sendFrame(frame);
  }
}

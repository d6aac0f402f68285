import type { HostEvent, LocalNotice } from '../../shared/protocol/events.ts';
import { OUTPUT_HEADER_BYTES, writeOutputHeader } from '../../shared/protocol/frames.ts';
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
  #frame: Uint8Array<ArrayBuffer> | null = null;
  /** Output bytes in the frame. */
  #bytes = 0;
  #soon: NodeJS.Immediate | null = null;
  #later: NodeJS.Timeout | null = null;

  constructor(outlet: Outlet, channel: number) {
    this.#outlet = outlet;
    this.#channel = channel;
  }

  output(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += this.#gather(bytes.subarray(at));
    if (bytes.length < OUTPUT_FRAME.floodChunkBytes) this.#soon ??= setImmediate(() => this.#flush());
    else if (this.#bytes > 0) this.#later ??= setTimeout(() => this.#flush(), OUTPUT_FRAME.waitMs);
  }

  state(state: SessionState): void {
    this.#flush();
    this.#outlet.sendEvent({ event: 'session.state', sessionId: this.sessionId, state });
  }

  notice(notice: LocalNotice): void {
    this.#flush();
    this.#outlet.sendEvent({ event: 'session.notice', sessionId: this.sessionId, notice });
  }

  /** Copies what the frame has room for, sends it when it is full, and says how much that was. */
  #gather(bytes: Uint8Array): number {
    const part = bytes.subarray(0, OUTPUT_FRAME.maxBytes - this.#bytes);
    this.#frame ??= new Uint8Array(OUTPUT_HEADER_BYTES + OUTPUT_FRAME.maxBytes);
    this.#frame.set(part, OUTPUT_HEADER_BYTES + this.#bytes);
    this.#bytes += part.length;
    if (this.#bytes === OUTPUT_FRAME.maxBytes) this.#flush();
    return part.length;
  }

  #flush(): void {
    if (this.#soon !== null) clearImmediate(this.#soon);
    if (this.#later !== null) clearTimeout(this.#later);
    this.#soon = null;
    this.#later = null;
    const frame = this.#frame;
    if (frame === null || this.#bytes === 0) return;
    writeOutputHeader(frame, this.#channel);
    const end = OUTPUT_HEADER_BYTES + this.#bytes;
    this.#bytes = 0;
    if (end < frame.length / 2) this.#outlet.sendFrame(frame.slice(0, end));
    else {
      // The carrier may still hold it when the next output comes.
      this.#frame = null;
      this.#outlet.sendFrame(frame.subarray(0, end));
    }
  }
}

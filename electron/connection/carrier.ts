import type { TaggedError } from '../../shared/protocol/errors.ts';
import type { HostMessage } from '../../shared/protocol/messages.ts';

/** What a carrier tells its connection, in the order in which the client sent it. */
export interface CarrierListener {
  /** A control message of at most CONTROL_MESSAGE_MAX_BYTES: some JSON value, not validated. */
  onControl(message: unknown): void;
  /** Binary, not decoded, of at most CONTROL_MESSAGE_MAX_BYTES. */
  onFrame(frame: Uint8Array): void;
  /** What arrived is no message at all, or too large for one. */
  onViolation(error: TaggedError): void;
  /** The other end answered a `ping`. */
  onPong(): void;
  /** The link is gone; called once, and nothing after it. */
  onClosed(): void;
}

/** One ordered link to a client. Control messages and frames keep their common order. */
export interface Carrier {
  /** Bytes sent and not yet taken by the system; 0 where the carrier cannot know. */
  readonly bufferedAmount: number;
  /** Starts to deliver what arrives. To be called once. */
  listen(listener: CarrierListener): void;
  sendControl(message: HostMessage): void;
  sendFrame(frame: Uint8Array<ArrayBuffer>): void;
  /**
   * Asks the other end's transport for a sign of life. Only where it can vanish without a word, as on a network; the end
   * of a port is always told. Not a message: a page that is busy, or behind a dialog of the browser, still answers.
   */
  ping?(): void;
  /** Ends the link after what was sent before. The listener is not called again. */
  close(): void;
}

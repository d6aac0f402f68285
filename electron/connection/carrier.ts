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
  /** The link is gone; called once, and nothing after it. */
  onClosed(): void;
}

/** One ordered link to a client. Control messages and frames keep their common order. */
export interface Carrier {
  /** Whether the other end can vanish without a word, as on a network. The end of a port is always told. */
  readonly canDieSilently: boolean;
  /** Bytes sent and not yet taken by the system; 0 where the carrier cannot know. */
  readonly bufferedAmount: number;
  /** Starts to deliver what arrives. To be called once. */
  listen(listener: CarrierListener): void;
  sendControl(message: HostMessage): void;
  sendFrame(frame: Uint8Array<ArrayBuffer>): void;
  /** Ends the link after what was sent before. The listener is not called again. */
  close(): void;
}

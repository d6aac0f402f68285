import type { ClientMessage } from '../../shared/protocol/messages.ts';

/** What a carrier tells its client, in the order in which the host sent it. */
export interface CarrierListener {
  /** A control message, parsed but not validated. */
  onControl(message: unknown): void;
  /** A binary frame of shared/protocol/frames.ts, not yet decoded. */
  onFrame(frame: Uint8Array): void;
  /** The link is gone; called once, and nothing after it. `reason` is for a person. */
  onClosed(reason: string): void;
}

/** One ordered, reliable link to the host. Control messages and frames keep their common order. */
export interface Carrier {
  /** Bytes handed over and not yet on their way; 0 where the carrier cannot know. */
  readonly bufferedAmount: number;
  sendControl(message: ClientMessage): void;
  sendFrame(frame: Uint8Array<ArrayBuffer>): void;
  /** The host has let this page in, or not: what signs a later connection in is kept, or forgotten. */
  admitted(isIn: boolean): void;
  /** Ends the link without calling `onClosed`. */
  close(): void;
}

/** What the greeting carries: a key, and the one-time token that makes the headless host know it; nothing on the desktop. */
export interface Credential {
  readonly token?: string;
  readonly key?: string;
}

export type OpenedCarrier =
  | { readonly kind: 'open'; readonly carrier: Carrier; readonly credential: Credential }
  /** There is nothing to sign in with: only a new launch address helps. */
  | { readonly kind: 'signed-out'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Opens a link whose events go to `listener`; aborting `signal` gives the attempt up. Rejects with what a browser throws
 * when it forbids storage or sockets.
 */
export type OpenCarrier = (listener: CarrierListener, signal: AbortSignal) => Promise<OpenedCarrier>;

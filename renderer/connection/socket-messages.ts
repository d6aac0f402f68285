/**
 * What a page and the worker that holds its socket say to each other. Frames (ArrayBuffer, moved, not copied) and control
 * messages (JSON text) pass as they are in either direction; the rest is tagged.
 */
export type Payload = ArrayBuffer | string;

/** The page's first message; `url` is the host's socket. Payloads follow once the socket is open. */
export type ToSocket = { readonly connect: string } | Payload;

export type FromSocket =
  | Payload
  | { readonly kind: 'open' }
  /** Nothing comes after it. */
  | { readonly kind: 'closed' }
  /** Of the bytes that the page handed over since the start, so many have left. */
  | { readonly kind: 'sent'; readonly total: number };

/** Bytes of a payload as both sides count them; UTF-16 units stand for the few bytes of a control message. */
export function payloadBytes(payload: Payload): number {
  return typeof payload === 'string' ? payload.length : payload.byteLength;
}

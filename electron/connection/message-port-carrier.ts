import { taggedError } from '../../shared/protocol/errors.ts';
import { CONTROL_MESSAGE_MAX_BYTES } from '../../shared/terminal/limits.ts';
import type { Carrier, CarrierListener } from './carrier.ts';

/** What this carrier needs of Electron's MessagePortMain. */
export interface PortLike {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
  close(): void;
}

/** The desktop's carrier: one port to one page; messages are structured clones, frames are `Uint8Array`. */
export function messagePortCarrier(port: PortLike): Carrier {
  let open = true;
  return {
    bufferedAmount: 0,
    listen(listener) {
      port.on('message', ({ data }) => {
        if (open) deliver(data, listener);
      });
      port.on('close', () => {
        if (!open) return;
        open = false;
        listener.onClosed();
      });
      port.start();
    },
    sendControl(message) {
      if (open) port.postMessage(message);
    },
    sendFrame(frame) {
      if (open) port.postMessage(frame);
    },
    close() {
      open = false;
      port.close();
    },
  };
}

function deliver(data: unknown, listener: CarrierListener): void {
  if (data instanceof Uint8Array) {
    if (data.length <= CONTROL_MESSAGE_MAX_BYTES) listener.onFrame(data);
    else listener.onViolation(tooLarge(data.length));
    return;
  }
  const json = asJson(data);
  if (json === undefined) {
    listener.onViolation(taggedError('malformed-message', 'The message is not a JSON value.'));
  } else if (Buffer.byteLength(json) > CONTROL_MESSAGE_MAX_BYTES) {
    listener.onViolation(tooLarge(Buffer.byteLength(json)));
  } else {
    // What a clone can hold beyond JSON (dates, maps, cycles, getters' leftovers) must not reach the router.
    listener.onControl(JSON.parse(json));
  }
}

function asJson(data: unknown): string | undefined {
  try {
    return JSON.stringify(data);
  } catch {
    return undefined;
  }
}

function tooLarge(bytes: number) {
  const bound = `must have at most ${CONTROL_MESSAGE_MAX_BYTES} bytes, has ${bytes}`;
  return taggedError('message-too-large', `A message ${bound}.`, {
    maximum: CONTROL_MESSAGE_MAX_BYTES,
    bytes,
  });
}

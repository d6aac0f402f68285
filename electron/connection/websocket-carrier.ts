import type { RawData, WebSocket } from 'ws';
import { taggedError } from '../../shared/protocol/errors.ts';
import type { Carrier, CarrierListener } from './carrier.ts';

/** Milliseconds the other end has for its part of the closing handshake before the socket is cut. */
const CLOSE_GRACE_MS = 1_000;
const NOT_WANTED = 1008;

/**
 * The headless host's carrier. The socket must have been made with `maxPayload` of CONTROL_MESSAGE_MAX_BYTES: `ws` then
 * cuts it with code 1009 on a longer message.
 */
export function webSocketCarrier(socket: WebSocket): Carrier {
  let open = true;
  return {
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
    listen(listener) {
      socket.on('message', (data, isBinary) => {
        if (open) deliver(bytesOf(data), isBinary, listener);
      });
      socket.on('pong', () => {
        if (open) listener.onPong();
      });
      // The 'close' event follows; without a listener an 'error' event would end the process.
      socket.on('error', () => {});
      socket.on('close', () => {
        if (!open) return;
        open = false;
        listener.onClosed();
      });
    },
    sendControl(message) {
      if (open) socket.send(JSON.stringify(message));
    },
    sendFrame(frame) {
      if (open) socket.send(frame);
    },
    ping() {
      if (open) socket.ping();
    },
    close() {
      open = false;
      socket.close(NOT_WANTED);
      setTimeout(() => socket.terminate(), CLOSE_GRACE_MS).unref();
    },
  };
}

function deliver(bytes: Buffer, isBinary: boolean, listener: CarrierListener): void {
  if (isBinary) {
    listener.onFrame(bytes);
    return;
  }
  let message: unknown;
  try {
    message = JSON.parse(bytes.toString());
  } catch {
    listener.onViolation(taggedError('malformed-message', 'The message is not JSON.'));
    return;
  }
  listener.onControl(message);
}

/** `ws` hands over one Buffer unless `binaryType` was changed. */
function bytesOf(data: RawData): Buffer {
  return data as Buffer;
}

import type { Carrier, CarrierListener, OpenedCarrier } from './carrier.ts';

/** The page asks its preload for a port with the first and gets it with the second. */
export const READY_MESSAGE = 'airlock:ready';
export const CONNECTION_MESSAGE = 'airlock:connection';

/** Milliseconds to wait for the preload; it answers within one turn of the main process's loop. */
const PORT_DEADLINE_MS = 10_000;

let asked = false;

/**
 * Asks the preload for a port. Only a message of this very window can bring it. There is one for each document: who wants
 * another connection gets another document.
 */
export function openMessagePort(listener: CarrierListener, signal: AbortSignal): Promise<OpenedCarrier> {
  if (asked) {
    window.location.reload();
    return new Promise(() => {});
  }
  asked = true;
  return new Promise((resolve) => {
    const finish = (opened: OpenedCarrier) => {
      window.removeEventListener('message', onMessage);
      signal.removeEventListener('abort', giveUp);
      clearTimeout(timer);
      resolve(opened);
    };
    const giveUp = () => finish({ kind: 'failed', reason: 'The window has no connection to its host.' });
    const onMessage = (event: MessageEvent) => {
      const [port] = event.ports;
      if (event.source !== window || event.data !== CONNECTION_MESSAGE || port === undefined) return;
      finish({ kind: 'open', carrier: portCarrier(port, listener), credential: {} });
    };
    window.addEventListener('message', onMessage);
    signal.addEventListener('abort', giveUp);
    const timer = setTimeout(giveUp, PORT_DEADLINE_MS);
    window.postMessage(READY_MESSAGE, window.location.origin);
  });
}

function portCarrier(port: MessagePort, listener: CarrierListener): Carrier {
  let open = true;
  port.onmessage = (event) => {
    if (!open) return;
    if (event.data instanceof Uint8Array) listener.onFrame(event.data);
    else listener.onControl(event.data);
  };
  port.addEventListener('close', () => {
    if (!open) return;
    open = false;
    listener.onClosed('The host of this window has stopped.');
  });
  return {
    bufferedAmount: 0,
    sendControl: (message) => port.postMessage(message),
    sendFrame: (frame) => port.postMessage(frame),
    admitted: () => {},
    close() {
      open = false;
      port.close();
    },
  };
}

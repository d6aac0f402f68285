import type { Carrier, CarrierListener, Credential, OpenedCarrier } from './carrier.ts';

/** Where a page keeps its session key: its own tab's storage, which no other port or tab can read. */
const KEY_ITEM = 'airlock.key';
const CONNECTION_PATH = '/connection';

/**
 * Connects to the headless host that served this page. Signs in with the one-time token of the launch address,
 * which is removed from the address at once, or with the key that an earlier connection of this tab was given.
 */
export async function openWebSocket(listener: CarrierListener, signal: AbortSignal): Promise<OpenedCarrier> {
  const credential = takeCredential();
  if (credential === null) return { kind: 'signed-out', reason: NO_CREDENTIAL };
  return new Promise((resolve) => {
    const socket = new WebSocket(socketUrl());
    socket.binaryType = 'arraybuffer';
    const giveUp = () => socket.close();
    signal.addEventListener('abort', giveUp);
    socket.onopen = () => {
      signal.removeEventListener('abort', giveUp);
      resolve({ kind: 'open', carrier: socketCarrier(socket, listener), credential });
    };
    socket.onclose = () => {
      signal.removeEventListener('abort', giveUp);
      resolve({ kind: 'failed', reason: 'The host cannot be reached. Is it still running?' });
    };
  });
}

const NO_CREDENTIAL =
  'This tab is not signed in. Open the address that the host printed, or ask it for a new one.';

function socketUrl(): string {
  const url = new URL(CONNECTION_PATH, window.location.href);
  url.protocol = 'ws:';
  return url.href;
}

/** A token wins over a kept key: the person has just opened a fresh address. */
function takeCredential(): Credential | null {
  const token = tokenOf(window.location.hash);
  if (token !== null) {
    history.replaceState(null, '', window.location.pathname + window.location.search);
    return { token };
  }
  const key = sessionStorage.getItem(KEY_ITEM);
  return key === null ? null : { key };
}

/** The token in an address such as `http://127.0.0.1:4242/#token=…`, or null. */
export function tokenOf(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, '')).get('token');
}

function socketCarrier(socket: WebSocket, listener: CarrierListener): Carrier {
  let open = true;
  const lost = (reason: string) => {
    if (!open) return;
    open = false;
    socket.close();
    listener.onClosed(reason);
  };
  socket.onmessage = (event) => {
    if (!open) return;
    if (event.data instanceof ArrayBuffer) listener.onFrame(new Uint8Array(event.data));
    else {
      const message = parseJson(String(event.data));
      if (message === undefined) lost('The host sent a message that is not JSON.');
      else listener.onControl(message);
    }
  };
  socket.onclose = () => lost('The host closed the connection.');
  return {
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
    sendControl: (message) => socket.send(JSON.stringify(message)),
    sendFrame: (frame) => socket.send(frame),
    keep(key) {
      if (key === null) sessionStorage.removeItem(KEY_ITEM);
      else sessionStorage.setItem(KEY_ITEM, key);
    },
    close() {
      open = false;
      socket.close();
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

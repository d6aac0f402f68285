import type { Carrier, CarrierListener, Credential, OpenedCarrier } from './carrier.ts';
import { type FromSocket, type Payload, payloadBytes, type ToSocket } from './socket-messages.ts';
import { TabSignIn } from './tab-sign-in.ts';

const TAB = new TabSignIn('airlock');
const CONNECTION_PATH = '/connection';

/**
 * Connects to the headless host that served this page. Signs in with the one-time token of the launch address, which is
 * removed from the address at once and wins over a kept key, or with the key that an earlier connection of this tab got in with.
 */
export async function openWebSocket(listener: CarrierListener, signal: AbortSignal): Promise<OpenedCarrier> {
  const credential = takeCredential();
  if (credential === null) return { kind: 'signed-out', reason: NO_CREDENTIAL };
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./socket-worker.ts', import.meta.url), { type: 'module' });
    const finish = (opened: OpenedCarrier) => {
      signal.removeEventListener('abort', giveUp);
      if (opened.kind !== 'open') worker.terminate();
      resolve(opened);
    };
    const giveUp = () =>
      finish({ kind: 'failed', reason: 'The host cannot be reached. Is it still running?' });
    signal.addEventListener('abort', giveUp);
    worker.onerror = giveUp;
    worker.onmessage = ({ data }: MessageEvent<FromSocket>) => {
      if (typeof data !== 'object' || !('kind' in data)) return;
      if (data.kind === 'closed') giveUp();
      if (data.kind === 'open')
        finish({ kind: 'open', carrier: socketCarrier(worker, listener, credential), credential });
    };
    worker.postMessage({ connect: socketUrl() } satisfies ToSocket);
  });
}

const NO_CREDENTIAL =
  'This tab is not signed in. Open the address that the host printed, or ask it for a new one.';

function socketUrl(): string {
  const url = new URL(CONNECTION_PATH, window.location.href);
  url.protocol = 'ws:';
  return url.href;
}

type TabCredential = Credential & { readonly key: string };

function takeCredential(): TabCredential | null {
  const { key } = TAB;
  return TAB.launch() ?? (key === null ? null : { key });
}

function socketCarrier(worker: Worker, listener: CarrierListener, { token, key }: TabCredential): Carrier {
  let open = true;
  let handedOver = 0;
  let sent = 0;
  const close = () => {
    open = false;
    worker.terminate();
  };
  const lost = (reason: string) => {
    if (!open) return;
    close();
    listener.onClosed(reason);
  };
  const onControl = (text: string) => {
    const message = parseJson(text);
    if (message === undefined) lost('The host sent a message that is not JSON.');
    else listener.onControl(message);
  };
  const send = (payload: Payload) => {
    handedOver += payloadBytes(payload);
    worker.postMessage(payload satisfies ToSocket, payload instanceof ArrayBuffer ? [payload] : []);
  };
  worker.onmessage = ({ data }: MessageEvent<FromSocket>) => {
    if (!open) return;
    if (data instanceof ArrayBuffer) listener.onFrame(new Uint8Array(data));
    else if (typeof data === 'string') onControl(data);
    else if (data.kind === 'sent') sent = data.total;
    else if (data.kind === 'closed') lost('The host closed the connection.');
  };
  return {
    get bufferedAmount() {
      return handedOver - sent;
    },
    sendControl: (message) => send(JSON.stringify(message)),
    sendFrame: (frame) => send(frame.buffer),
    admitted(isIn) {
      if (isIn) TAB.keep(key);
      else if (token === undefined) TAB.forget();
      TAB.launched();
    },
    close,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import type { ApprovalPageAnswer, AskHost } from '../../shared/governed/approval-page.ts';
import type { PageConnection } from './connect.ts';

/** The page asks its preload for a port with the first and gets it with the second (electron/approval-preload.ts). */
const READY_MESSAGE = 'airlock-approval:ready';
const PORT_MESSAGE = 'airlock-approval:port';

interface FromHost {
  readonly n?: number;
  readonly answer?: unknown;
  readonly show?: string;
}

/** The desktop's view: having the port is being let in. */
export function connectPort(): PageConnection {
  const waiting = new Map<number, (answer: never) => void>();
  let wish: string | null = null;
  let onWish = (id: string) => {
    wish = id;
  };
  let lastNumber = 0;
  const port = receivePort().then((received) => {
    received.onmessage = ({ data }: MessageEvent<FromHost>) => {
      if (data.show !== undefined) onWish(data.show);
      if (data.n === undefined) return;
      waiting.get(data.n)?.(data.answer as never);
      waiting.delete(data.n);
    };
    received.addEventListener('close', () => {
      for (const settle of waiting.values()) settle(GONE as never);
      waiting.clear();
    });
    return received;
  });
  const ask = (async (verb, params) => {
    const n = ++lastNumber;
    const open = await port;
    return new Promise<ApprovalPageAnswer<'list'>>((resolve) => {
      waiting.set(n, resolve);
      open.postMessage({ n, verb, params });
    });
  }) as AskHost;
  return {
    entered: port.then(() => ({ kind: 'in' })),
    ask,
    isWindow: true,
    ownWindow: async () => null,
    leave() {},
    onWish(listener) {
      onWish = listener;
      if (wish !== null) listener(wish);
    },
  };
}

const GONE = { ok: false, error: { tag: 'unreachable', text: 'Airlock has ended.' } } as const;

function receivePort(): Promise<MessagePort> {
  return new Promise((resolve) => {
    const onMessage = (event: MessageEvent) => {
      const [port] = event.ports;
      if (event.source !== window || event.data !== PORT_MESSAGE || port === undefined) return;
      window.removeEventListener('message', onMessage);
      resolve(port);
    };
    window.addEventListener('message', onMessage);
    window.postMessage(READY_MESSAGE, window.location.origin);
  });
}

/** Name of the JavaScript world that preloads run in: it shares the page's DOM, not the page's globals. */
export const WORLD = 'electron-preload';

/** Name of the function through which that world reaches the double. */
export const BINDING = '__electronDouble';

/**
 * What runs at the start of every document: Electron's `ipcRenderer` for the preload, and the page's end of each
 * port that main transfers. Main frame only, as Electron runs preloads. `require` knows 'electron' and nothing else.
 */
export function preloadScript(preload: string): string {
  return `(${installPreloadWorld.toString()})(${JSON.stringify(BINDING)}, function (require, module, exports) {
${preload}
});`;
}

/**
 * Runs in the page's own world: Electron loses a message whose bytes were transferred from a page to main instead
 * of copied (electron/electron#34905), so the double does not let that pass as if it worked.
 */
export const REFUSE_TRANSFERRED_BYTES = `{
  const post = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function (message, transfer) {
    const list = Array.isArray(transfer) ? transfer : (transfer?.transfer ?? []);
    if (list.some((item) => item instanceof ArrayBuffer)) throw new TypeError('Electron loses transferred bytes');
    return post.call(this, message, transfer);
  };
}`;

/** Self-contained: its source text is what runs in the page. */
function installPreloadWorld(
  binding: string,
  preload: (require: (name: string) => unknown, module: object, exports: object) => void,
): void {
  if (window !== window.top) return;
  const world = globalThis as unknown as Record<string, unknown>;
  const send = world[binding] as (text: string) => void;
  delete world[binding];
  const toMain = (message: object) => send(JSON.stringify(message));

  type Listener = (event: object, ...args: unknown[]) => void;
  const listeners = new Map<string, Listener[]>();
  const ports = new Map<number, MessagePort>();

  type Wire = { bytes: string } | { json: unknown };
  const encode = (value: unknown): Wire =>
    value instanceof Uint8Array
      ? { bytes: (value as Uint8Array & { toBase64(): string }).toBase64() }
      : { json: value };
  const decode = (wire: Wire): unknown =>
    'bytes' in wire
      ? (Uint8Array as unknown as { fromBase64(text: string): Uint8Array }).fromBase64(wire.bytes)
      : wire.json;

  function adopt(id: number): MessagePort {
    const { port1, port2 } = new MessageChannel();
    ports.set(id, port1);
    port1.onmessage = (event) => toMain({ kind: 'port-message', port: id, value: encode(event.data) });
    port1.addEventListener('close', () => toMain({ kind: 'port-closed', port: id }));
    return port2;
  }

  const ipcRenderer = {
    on(channel: string, listener: Listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
      return ipcRenderer;
    },
    once(channel: string, listener: Listener) {
      const first: Listener = (event, ...args) => {
        ipcRenderer.removeListener(channel, first);
        listener(event, ...args);
      };
      return ipcRenderer.on(channel, first);
    },
    removeListener(channel: string, listener: Listener) {
      listeners.set(
        channel,
        (listeners.get(channel) ?? []).filter((known) => known !== listener),
      );
      return ipcRenderer;
    },
    send(channel: string, ...args: unknown[]) {
      toMain({ kind: 'ipc', channel, args });
    },
  };

  type FromMain =
    | { kind: 'ipc'; channel: string; args: unknown[]; ports: number[] }
    | { kind: 'port-message'; port: number; value: Wire }
    | { kind: 'port-closed'; port: number };

  world['__fromMain'] = (messages: FromMain[]) => {
    for (const message of messages) {
      if (message.kind === 'ipc') {
        const event = { sender: ipcRenderer, ports: message.ports.map(adopt) };
        for (const listener of listeners.get(message.channel) ?? []) listener(event, ...message.args);
      } else if (message.kind === 'port-message') {
        ports.get(message.port)?.postMessage(decode(message.value));
      } else {
        ports.get(message.port)?.close();
        ports.delete(message.port);
      }
    }
  };

  const module = { exports: {} };
  preload(
    (name) => {
      if (name === 'electron' || name === 'electron/renderer') return { ipcRenderer };
      throw new Error(`module not found: ${name}`);
    },
    module,
    module.exports,
  );
}

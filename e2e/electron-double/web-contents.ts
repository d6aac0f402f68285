import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { record } from './control.ts';
import type { Body, DevTools, DevToolsSession } from './devtools.ts';
import { ipcMain } from './ipc-main.ts';
import { BINDING, preloadScript, REFUSE_TRANSFERRED_BYTES, WORLD } from './isolated-world.ts';
import { type MessagePortMain, twinOf } from './message-ports.ts';
import { emitPreventable } from './preventable-event.ts';
import { type DoubleSession, session, toChromiumUrl, toElectronUrl } from './session.ts';
import { fromWire, toWire, type WireValue } from './wire.ts';

type FromPage =
  | { kind: 'ipc'; channel: string; args: unknown[] }
  | { kind: 'port-message'; port: number; value: WireValue }
  | { kind: 'port-closed'; port: number };

/** Electron's WebFrameMain of a page's main frame. */
export interface MainFrame {
  readonly url: string;
  readonly origin: string;
  readonly parent: null;
  postMessage(channel: string, message: unknown, transfer?: readonly MessagePortMain[]): void;
}

let devtools: DevTools;
let browserContextId: string;

export function openPagesWith(connection: DevTools, context: string): void {
  devtools = connection;
  browserContextId = context;
}

const everyWebContents = new EventEmitter();
/** Tells `listener` of each web contents as it comes to exist. */
export function onWebContentsCreated(listener: (contents: WebContents) => void): void {
  everyWebContents.on('created', listener);
}

/** One page in Chromium, driven over DevTools, with the calls and events of Electron's WebContents that are used. */
export class WebContents extends EventEmitter {
  static #lastId = 0;
  static #lastPort = 0;

  readonly id = ++WebContents.#lastId;
  readonly ipc = new EventEmitter();
  readonly session: DoubleSession;
  readonly mainFrame: MainFrame;
  readonly #ready: Promise<DevToolsSession>;
  readonly #tunnels = new Map<number, MessagePortMain>();
  readonly #outbox: object[] = [];
  readonly #preload: string;
  readonly #size: { width: number; height: number };
  #targetId = '';
  #frameId = '';
  #worldId: number | null = null;
  #url = '';
  /** The address of a navigation that main itself started; those are not asked about. */
  #ownNavigation: string | null = null;
  #windowOpen: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });
  #destroyed = false;

  constructor(
    preloadPath: string,
    size: { width: number; height: number },
    ownSession: DoubleSession = session.defaultSession,
  ) {
    super();
    this.session = ownSession;
    this.#preload = readFileSync(preloadPath, 'utf8');
    this.#size = size;
    this.mainFrame = this.#describeMainFrame();
    this.#ready = this.#open();
    everyWebContents.emit('created', this);
  }

  get targetId(): string {
    return this.#targetId;
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  getURL(): string {
    return this.#url;
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.#ready;
    await this.#applyPermissions(url);
    this.#ownNavigation = url;
    const loaded = new Promise<void>((resolve) => this.once('did-finish-load', resolve));
    const { errorText } = await page.send('Page.navigate', { url: toChromiumUrl(url) });
    if (errorText) throw new Error(`${errorText} loading ${url}`);
    await loaded;
  }

  reload(): void {
    void this.loadURL(this.#url);
  }

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.#windowOpen = handler;
  }

  getZoomFactor(): number {
    return 1;
  }

  /** Every page of the double has a window of its own; which one has the focus is not the double's to show. */
  isFocused(): boolean {
    return false;
  }

  focus(): void {
    record('webContents.focus', this.id, this.#url);
  }

  close(): void {
    void this.destroy();
  }

  setIgnoreMenuShortcuts(ignore: boolean): void {
    record('webContents.setIgnoreMenuShortcuts', ignore);
  }

  /** As a preload or a compromised page would send it, from a frame of the test's making. */
  forgeIpc(channel: string, frame: { origin: string; url: string; isMainFrame: boolean }): void {
    const { origin, url, isMainFrame } = frame;
    const postMessage = (reply: string) => record('forged.reply', reply);
    const senderFrame = { origin, url, parent: isMainFrame ? null : this.mainFrame, postMessage };
    this.#emitIpc(channel, senderFrame, []);
  }

  /** Ends the page's renderer as a crash would. */
  async crash(): Promise<void> {
    void (await this.#ready).send('Page.crash').catch(() => {});
  }

  async bringToFront(): Promise<void> {
    await (await this.#ready).send('Page.bringToFront');
  }

  async destroy(): Promise<void> {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#leaveDocument();
    this.emit('destroyed');
    await this.#ready.catch(() => {});
    await devtools.send('Target.closeTarget', { targetId: this.#targetId }).catch(() => {});
  }

  async #open(): Promise<DevToolsSession> {
    const { targetId } = await devtools.send('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      browserContextId,
      ...this.#size,
    });
    this.#targetId = targetId as string;
    const page = await devtools.attach(this.#targetId);
    this.#listen(page);
    const tree = await page.send('Page.getFrameTree');
    this.#frameId = (tree['frameTree'] as { frame: { id: string } }).frame.id;
    await page.send('Page.enable');
    await page.send('Runtime.addBinding', { name: BINDING, executionContextName: WORLD });
    await page.send('Runtime.enable');
    await page.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: REFUSE_TRANSFERRED_BYTES });
    const source = preloadScript(this.#preload);
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD });
    return page;
  }

  #listen(page: DevToolsSession): void {
    page.on('Fetch.requestPaused', (event: PausedRequest) => void this.#answer(page, event).catch(() => {}));
    page.on('Runtime.bindingCalled', ({ name, payload, executionContextId }: Body) => {
      if (name === BINDING && executionContextId === this.#worldId) this.#receive(String(payload));
    });
    page.on('Runtime.executionContextCreated', ({ context }: { context: ExecutionContext }) => {
      const isPreloadWorld = context.name === WORLD && context.auxData.frameId === this.#frameId;
      if (isPreloadWorld) this.#enterDocument(context.id);
    });
    page.on('Runtime.executionContextDestroyed', ({ executionContextId }: Body) => {
      if (executionContextId === this.#worldId) this.#leaveDocument();
    });
    page.on('Runtime.executionContextsCleared', () => this.#leaveDocument());
    page.on('Page.frameNavigated', ({ frame }: { frame: { id: string; url: string; parentId?: string } }) => {
      if (frame.parentId !== undefined) return;
      this.#url = toElectronUrl(frame.url);
      if (frame.url !== 'about:blank') this.emit('did-navigate', {}, this.#url);
    });
    page.on('Page.loadEventFired', () => {
      if (this.#url !== 'about:blank' && this.#url !== '') this.emit('did-finish-load');
    });
    page.on('Inspector.targetCrashed', () => {
      this.#leaveDocument();
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 11 });
    });
    devtools.on('Target.targetDestroyed', ({ targetId }: { targetId: string }) => {
      if (targetId === this.#targetId) this.emit('target-destroyed');
    });
  }

  async #answer(page: DevToolsSession, event: PausedRequest): Promise<void> {
    const { requestId } = event;
    const url = toElectronUrl(event.request.url);
    if (event.resourceType === 'Document' && !this.#mayNavigate(event, url)) {
      await page.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
      return;
    }
    const handler = this.session.handlerOf(url);
    if (handler) {
      const { method, headers } = event.request;
      const response = await handler(new Request(url, { method, headers }));
      await page.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: response.status,
        responseHeaders: [...this.#withWindowPolicy(response.headers)].map(([name, value]) => ({
          name,
          value,
        })),
        body: Buffer.from(await response.arrayBuffer()).toString('base64'),
      });
    } else if (await this.session.allowsRequest(url)) {
      await page.send('Fetch.continueRequest', { requestId });
    } else {
      record('webRequest.cancelled', url);
      await page.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    }
  }

  /**
   * Electron asks the app before it makes a window for a page. Here the app is asked once per load, and a refusal
   * becomes a sandbox without popups, in which Chromium itself answers `window.open` with null.
   */
  #withWindowPolicy(headers: Headers): Headers {
    if (this.#windowOpen({ url: 'about:blank' }).action === 'allow') return headers;
    const policy = new Headers(headers);
    policy.append('content-security-policy', SANDBOX_WITHOUT_POPUPS);
    return policy;
  }

  /** Asks the app's listeners, as Electron does for every navigation that main did not start. */
  #mayNavigate(event: PausedRequest, url: string): boolean {
    const isMainFrame = event.frameId === this.#frameId;
    if (isMainFrame && url === this.#ownNavigation) {
      this.#ownNavigation = null;
      return true;
    }
    const fields = { url, isMainFrame, isSameDocument: false };
    const names = event.redirectedRequestId ? ['will-redirect'] : ['will-frame-navigate'];
    if (isMainFrame && !event.redirectedRequestId) names.push('will-navigate');
    const refused = names.map((name) => emitPreventable(this, name, fields, url)).includes(true);
    if (refused) record('webContents.navigationRefused', url);
    return !refused;
  }

  async #applyPermissions(url: string): Promise<void> {
    const origin = new URL(toChromiumUrl(url)).origin;
    for (const { permission, setting } of this.session.permissionsFor(this, url)) {
      await devtools
        .send('Browser.setPermission', { permission, setting, origin, browserContextId })
        .catch(() => {});
    }
  }

  #enterDocument(worldId: number): void {
    this.#leaveDocument();
    this.#worldId = worldId;
  }

  /** The document is gone, and with it every port that it held. */
  #leaveDocument(): void {
    this.#worldId = null;
    this.#outbox.length = 0;
    const orphans = [...this.#tunnels.values()];
    this.#tunnels.clear();
    for (const port of orphans) port.remoteClosed();
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as FromPage;
    if (message.kind === 'ipc') {
      this.#emitIpc(message.channel, this.mainFrame, message.args);
    } else if (message.kind === 'port-message') {
      this.#tunnels.get(message.port)?.receive(fromWire(message.value));
    } else {
      this.#tunnels.get(message.port)?.remoteClosed();
      this.#tunnels.delete(message.port);
    }
  }

  #emitIpc(channel: string, senderFrame: object, args: readonly unknown[]): void {
    const event = { sender: this, senderFrame, ports: [] };
    for (const ipc of [this.ipc, ipcMain]) ipc.emit(channel, event, ...args);
  }

  #describeMainFrame(): MainFrame {
    const url = () => this.#url;
    return {
      parent: null,
      get url() {
        return url();
      },
      get origin() {
        const parsed = new URL(url());
        return `${parsed.protocol}//${parsed.host}`;
      },
      postMessage: (channel, message, transfer = []) => {
        record('frame.postMessage', channel, transfer.length);
        this.#post({
          kind: 'ipc',
          channel,
          args: [message],
          ports: transfer.map((port) => this.#tunnel(port)),
        });
        for (const flush of this.#transferred.splice(0)) flush();
      },
    };
  }

  /** Moves happen after the message that carries the port, so that nothing reaches the page before it. */
  readonly #transferred: (() => void)[] = [];

  #tunnel(port: MessagePortMain): number {
    const id = ++WebContents.#lastPort;
    const twin = twinOf(port);
    this.#tunnels.set(id, twin);
    this.#transferred.push(() =>
      port.transferTo(twin, {
        deliver: (data) => this.#post({ kind: 'port-message', port: id, value: toWire(data) }),
        closed: () => {
          this.#tunnels.delete(id);
          this.#post({ kind: 'port-closed', port: id });
        },
      }),
    );
    return id;
  }

  /** Messages of one turn go to the page in one call, in order. */
  #post(message: object): void {
    if (this.#worldId === null) return;
    this.#outbox.push(message);
    if (this.#outbox.length > 1) return;
    const contextId = this.#worldId;
    setImmediate(async () => {
      if (this.#worldId !== contextId) return;
      const expression = `__fromMain(${JSON.stringify(this.#outbox.splice(0))})`;
      await (await this.#ready).send('Runtime.evaluate', { expression, contextId }).catch(() => {});
    });
  }
}

const SANDBOX_WITHOUT_POPUPS =
  'sandbox allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-pointer-lock allow-top-navigation';

interface PausedRequest {
  readonly requestId: string;
  readonly redirectedRequestId?: string;
  readonly frameId: string;
  readonly resourceType: string;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly headers: Record<string, string>;
  };
}

interface ExecutionContext {
  readonly id: number;
  readonly name: string;
  readonly auxData: { readonly frameId: string };
}

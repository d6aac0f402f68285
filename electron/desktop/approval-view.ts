import { join } from 'node:path';
import {
  type BrowserWindow,
  type IpcMainEvent,
  MessageChannelMain,
  type Session,
  WebContentsView,
} from 'electron';
import type { Rectangle } from '../../shared/protocol/governed-requests.ts';
import type { ApprovalPageApi } from '../approvals/approval-page-api.ts';
import { ApprovalPort } from '../approvals/approval-port.ts';
import { APPROVAL_URL } from './app-origin.ts';
import { APPROVAL_CONNECT_CHANNEL, APPROVAL_PORT_CHANNEL } from './channels.ts';
import { mayDecide } from './sender.ts';
import { placeWithin } from './view-place.ts';

/** The preload bundle lies beside the main bundle. */
const PRELOAD = join(import.meta.dirname, 'approval-preload.cjs');

/** Milliseconds after the page was opened again in which another end of its process is left to a person. */
const REOPEN_AGAIN_MS = 60_000;

export interface ApprovalViewOptions {
  readonly window: BrowserWindow;
  /** The approval page's own: `approval://` is served in no other, and it shares nothing with the app's page. */
  readonly session: Session;
  readonly api: ApprovalPageApi;
  /** Told when the view has gone from its place, and comes back only when it is placed again. */
  readonly onGone: () => void;
}

/**
 * The approval page of one window: a view of its own above the window's page, in a process of its own, which that page can
 * place but not cover, read or press (DESIGN 6). It comes to exist when it is first placed, and never takes the focus by
 * itself.
 */
export class ApprovalView {
  readonly #options: ApprovalViewOptions;
  #view: WebContentsView | null = null;
  #port: ApprovalPort | null = null;
  #wish: string | null = null;
  /** Where it was placed last; null while it is not to be seen. */
  #place: Rectangle | null = null;
  #reopened = Number.NEGATIVE_INFINITY;

  constructor(options: ApprovalViewOptions) {
    this.#options = options;
    options.window.once('closed', () => this.#drop());
  }

  /**
   * Where the window's page wants it, in CSS pixels of that page, cut to the window; null takes it away. `show`: the
   * request that it shows first.
   */
  place(place: Rectangle | null, show?: string): void {
    const { window } = this.#options;
    if (show !== undefined) this.#wishFor(show);
    this.#place = place;
    if (place === null) {
      this.#hide();
      return;
    }
    const view = this.#view ?? this.#open();
    const { width, height } = window.getContentBounds();
    view.setBounds(placeWithin(place, window.webContents.getZoomFactor(), { width, height }));
    view.setVisible(true);
  }

  /** A person asked to go there. */
  focus(): void {
    this.#view?.webContents.focus();
  }

  #open(): WebContentsView {
    const { window, session } = this.#options;
    const view = new WebContentsView({
      webPreferences: {
        preload: PRELOAD,
        session,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        spellcheck: false,
        // A new request never takes the focus.
        focusOnNavigation: false,
      },
    });
    this.#view = view;
    view.webContents.ipc.on(APPROVAL_CONNECT_CHANNEL, (event) => this.#connect(view, event));
    view.webContents.on('render-process-gone', (_event, { reason }) => this.#gone(view, reason));
    window.contentView.addChildView(view);
    void view.webContents
      .loadURL(APPROVAL_URL)
      .catch((reason) => console.error(`airlock: the approval page did not load: ${reason}`));
    return view;
  }

  #connect(view: WebContentsView, { senderFrame }: IpcMainEvent): void {
    if (view !== this.#view || !mayDecide(senderFrame)) return;
    this.#port?.dispose();
    const { port1, port2 } = new MessageChannelMain();
    this.#port = new ApprovalPort(port1, this.#options.api);
    senderFrame.postMessage(APPROVAL_PORT_CHANNEL, null, [port2]);
    if (this.#wish !== null) this.#port.show(this.#wish);
  }

  /** The window's page cannot know: it is opened again where it was, and when that does not hold, a person decides. */
  #gone(view: WebContentsView, reason: string): void {
    if (view !== this.#view) return;
    console.error(`airlock: the approval page's process has ended (${reason})`);
    this.#drop();
    if (performance.now() - this.#reopened <= REOPEN_AGAIN_MS) {
      if (this.#place !== null) this.#options.onGone();
      return;
    }
    this.#reopened = performance.now();
    // Not within the event: Chromium is still taking the old process down.
    setImmediate(() => {
      if (this.#view === null && this.#place !== null && !this.#options.window.isDestroyed())
        this.place(this.#place);
    });
  }

  #wishFor(id: string): void {
    this.#wish = id;
    this.#port?.show(id);
  }

  /** The focus goes back to the window's page if it was in the view; it is not left in what is not seen. */
  #hide(): void {
    if (this.#view === null) return;
    const hadFocus = this.#view.webContents.isFocused();
    this.#view.setVisible(false);
    if (hadFocus) this.#options.window.webContents.focus();
  }

  #drop(): void {
    const view = this.#view;
    this.#view = null;
    this.#port?.dispose();
    this.#port = null;
    if (view === null) return;
    const { window } = this.#options;
    if (!window.isDestroyed()) {
      const hadFocus = !view.webContents.isDestroyed() && view.webContents.isFocused();
      window.contentView.removeChildView(view);
      if (hadFocus) window.webContents.focus();
    }
    if (!view.webContents.isDestroyed()) view.webContents.close();
  }
}

import type { Terminal } from '@xterm/xterm';
import { type Disposable, DisposableStore, toDisposable } from '../../shared/disposable.ts';
import { Emitter } from '../../shared/emitter.ts';
import type { OpenedSession } from '../../shared/protocol/requests.ts';
import { ProgramColours } from '../../shared/terminal/program-colours.ts';
import { sameSize, type TerminalSize } from '../../shared/terminal/size.ts';
import type { Client } from '../connection/client.ts';
import { readClipboard, writeClipboard } from './clipboard.ts';
import { createTerminal, watchSignals } from './create-terminal.ts';
import { Drawing } from './drawing.ts';
import { Finder, type FindOptions } from './finder.ts';
import { Fitting } from './fitting.ts';
import { loadFont } from './fonts.ts';
import { FramePace } from './frame-pace.ts';
import { watchInput } from './input-origin.ts';
import { visibleLinks } from './links.ts';
import { modeReset, resetTabStops } from './mode-reset.ts';
import { noticeText } from './notice.ts';
import { keepPageAwake } from './page-awake.ts';
import { watchPastes } from './paste-source.ts';
import { ProgramClipboard } from './program-clipboard.ts';
import { limitProgramRequests } from './program-requests.ts';
import { watchScale } from './scale.ts';
import { boundAnnouncements } from './screen-reader.ts';
import { type InputMode, SessionInput } from './session-input.ts';
import { SessionLink } from './session-link.ts';
import type { TerminalEvents, TerminalLink } from './terminal-events.ts';
import { settingsOptions, type TerminalSettings } from './terminal-options.ts';
import { themeOf } from './theme.ts';
import { drawIn, drawNoEmptySelection, hasScrollRegion } from './xterm-internals.ts';

/** Only a terminal that somebody reads has a cursor: not before a session is open, nor after it. */
const CURSOR = '\x1b[?25h';
const NO_CURSOR = '\x1b[?25l';

export interface TerminalViewOptions {
  readonly settings: TerminalSettings;
  /** macOS: Cmd instead of Ctrl opens links. */
  readonly mac: boolean;
  /** What a screen reader calls the terminal. */
  readonly label: string;
  /**
   * Whether the workspace wants this key event (keydown, keypress or keyup). If so xterm leaves it alone and it goes on
   * to the page's own listeners; everything else is the program's. The browser's own paste keys need no command.
   */
  readonly takesKey: (event: KeyboardEvent) => boolean;
}

/**
 * One pane's terminal: xterm, its host element and everything attached to it, made once and moved between layouts. Not
 * React, and nothing of it goes through a store. Owns its parts; `dispose` ends them all.
 */
export class TerminalView implements Disposable {
  /** Moved by `attach`; holds the terminal. */
  readonly element: HTMLElement;
  readonly #options: TerminalViewOptions;
  readonly #events = new Emitter<TerminalEvents>();
  readonly #owned = new DisposableStore();
  readonly #terminal: Terminal;
  readonly #input: SessionInput;
  readonly #finder: Finder;
  readonly #colours: ProgramColours;
  readonly #drawing: Drawing;
  readonly #fitting: Fitting;
  readonly #clipboard: ProgramClipboard;
  readonly #pace: FramePace;
  readonly #measured = Promise.withResolvers<TerminalSize>();
  #settings: TerminalSettings;
  #zoom = 0;
  #fontLoaded = false;
  #visible = false;
  #size: TerminalSize | null = null;
  #link: SessionLink | null = null;

  constructor(options: TerminalViewOptions) {
    keepPageAwake();
    this.#options = options;
    this.#settings = options.settings;
    this.element = document.createElement('div');
    this.element.className = 'terminal-host';
    this.#terminal = this.#owned.add(createTerminal(options.settings, options.mac, this.#events));
    this.#terminal.write(NO_CURSOR);
    this.#input = new SessionInput(this.#terminal, this.#events);
    this.#colours = this.#owned.add(new ProgramColours(this.#terminal));
    this.#finder = new Finder(this.#terminal, this.#events);
    this.#clipboard = this.#owned.add(new ProgramClipboard(this.#events, () => this.focused));
    this.#pace = this.#owned.add(new FramePace());
    this.#drawing = this.#owned.add(new Drawing(this.#terminal));
    this.#fitting = this.#owned.add(
      new Fitting(this.#terminal, this.element, {
        visible: (visible) => this.#setVisible(visible),
        fitted: () => this.#fitted(),
      }),
    );
    this.#watchProgram();
    this.#watchPerson();
    void this.#loadFont();
  }

  on<Name extends keyof TerminalEvents>(
    name: Name,
    listener: (payload: TerminalEvents[Name]) => void,
  ): Disposable {
    return this.#events.on(name, listener);
  }

  /** Moves the terminal into `parent`, which it fills; it opens when that has an area. */
  attach(parent: HTMLElement): void {
    parent.append(this.element);
  }

  /** The size to open a session at (ST-5): resolves once the font is loaded and the pane has had an area. */
  whenMeasured(): Promise<TerminalSize> {
    return this.#size === null ? this.#measured.promise : Promise.resolve(this.#size);
  }

  /** Null until measured. */
  get size(): TerminalSize | null {
    return this.#size;
  }

  get focused(): boolean {
    return document.hasFocus() && document.activeElement === this.#terminal.textarea;
  }

  /** Whether clicks are the program's. */
  get tracksMouse(): boolean {
    return this.#terminal.modes.mouseTrackingMode !== 'none';
  }

  get drawnWith(): 'webgl' | 'dom' {
    return this.#drawing.kind;
  }

  /** A session is being opened: what is typed from here on is its first input. Then `open`, or `giveUp`. */
  opening(): void {
    this.#input.opening();
  }

  /** No session was opened. What was typed for it is forgotten. */
  giveUp(): void {
    this.#input.end();
  }

  /**
   * Shows a session that was just opened, below what is on the screen already. One session at a time: the one before
   * must have ended (`end`). A `watched` session is not typed into and has no cursor.
   */
  open(client: Client, session: OpenedSession, mode: InputMode = 'driven'): void {
    this.#link?.dispose();
    this.#terminal.write(mode === 'driven' ? CURSOR : NO_CURSOR);
    this.#link = new SessionLink(client, session, this.#terminal, this.#pace);
    this.#clipboard.policy = session.profile.clipboardWrite;
    this.#input.begin(this.#link, mode);
    // The pane may have changed its size while the session was opening.
    if (this.#size !== null && this.#input.isLive) this.#link.resize(this.#size);
  }

  /**
   * Call when the session's `ended` state or the loss of its connection is known. Resolves when its last output is on
   * the screen and the modes that its program left on are reset (B32); from now on no input goes anywhere.
   */
  async end(): Promise<void> {
    const link = this.#link;
    if (link === null) return;
    this.#input.end();
    this.#clipboard.policy = 'off';
    await link.finish();
    if (this.#link !== link || this.#owned.disposed) return;
    this.#link = null;
    await this.#write(modeReset(this.#terminal, hasScrollRegion(this.#terminal)) + NO_CURSOR);
    resetTabStops(this.#terminal);
    this.applySettings(this.#settings);
  }

  /** While held (the session is suspended) keys and pastes go nowhere and cause `heldInput` (ST-13). */
  holdInput(held: boolean): void {
    const wasLive = this.#input.isLive;
    this.#input.hold(held);
    // Sizes are not told while held, and the one that the session was resumed at may be old by now.
    if (!wasLive && this.#input.isLive && this.#size !== null) this.#link?.resize(this.#size);
  }

  /**
   * Draws lines of the host's own, dimmed, where the cursor is. Resolves to false when they would disturb the program's
   * screen: then show them beside the terminal.
   */
  showNotice(lines: readonly string[]): Promise<boolean> {
    return new Promise((resolve) => {
      const draw = () => {
        const text = noticeText(this.#terminal, lines);
        resolve(text !== null);
        return text ?? '';
      };
      if (this.#link === null) this.#terminal.write(draw());
      else this.#link.interject(draw);
    });
  }

  focus(): void {
    this.#terminal.focus();
  }

  /** Null when the selection is on the clipboard, else why not. */
  async copy(): Promise<string | null> {
    const text = this.#terminal.getSelection();
    return text === '' ? 'Nothing is selected.' : writeClipboard(text);
  }

  /** For a command or menu; the browser's own paste keys arrive by themselves. May fire `refused`. */
  async paste(): Promise<void> {
    const clipboard = await readClipboard();
    if ('refused' in clipboard) this.#events.fire('refused', clipboard.refused);
    else this.#paste(clipboard.text);
  }

  selectAll(): void {
    this.#terminal.selectAll();
  }

  /** Drops the scrollback and the lines above the cursor. */
  clear(): void {
    this.#terminal.clear();
  }

  scrollLines(lines: number): void {
    this.#terminal.scrollLines(lines);
  }

  scrollPages(pages: number): void {
    this.#terminal.scrollPages(pages);
  }

  scrollToTop(): void {
    this.#terminal.scrollToTop();
  }

  scrollToBottom(): void {
    this.#terminal.scrollToBottom();
  }

  /** False when nothing matches or `text` is not a valid pattern. `findResults` follows. */
  find(text: string, direction: 'next' | 'previous', options: FindOptions = {}): boolean {
    return this.#finder.find(text, direction, options, this.element);
  }

  endFind(): void {
    this.#finder.end();
  }

  /** The links that can be seen, from top to bottom: for opening one by keyboard. */
  visibleLinks(): TerminalLink[] {
    return visibleLinks(this.#terminal);
  }

  /** Pixels that are added to the font size of the settings. */
  setZoom(pixels: number): void {
    this.#zoom = pixels;
    this.applySettings(this.#settings);
  }

  /** Also reads the theme anew: call it when the colours of the page changed. */
  applySettings(settings: TerminalSettings): void {
    const newFont = settings.appearance.fontFamily !== this.#settings.appearance.fontFamily;
    this.#settings = settings;
    if (newFont) void this.#loadFont();
    else this.#applyOptions();
  }

  dispose(): void {
    this.#link?.dispose();
    this.#owned.dispose();
    this.#events.clear();
    this.element.remove();
  }

  #watchProgram(): void {
    const terminal = this.#terminal;
    this.#owned.add(watchSignals(terminal, this.#events));
    this.#owned.add(limitProgramRequests(terminal, (request) => this.#clipboard.handle(request)));
    this.#owned.add(boundAnnouncements(terminal));
  }

  #watchPerson(): void {
    const terminal = this.#terminal;
    terminal.attachCustomKeyEventHandler((event) => !this.#options.takesKey(event));
    this.#owned.add(watchInput(terminal, (origin, bytes) => this.#input.fromTerminal(origin, bytes)));
    this.#owned.add(watchScale(() => this.#fitting.fitNow()));
    this.#owned.add(
      watchPastes(this.element, {
        middleClick: (shift) => this.#settings.terminal.middleClickPaste && (shift || !this.tracksMouse),
        onText: (text) => this.#paste(text),
        onRefused: (reason) => this.#events.fire('refused', reason),
      }),
    );
    const selected = () => {
      if (this.#settings.terminal.copyOnSelect && terminal.hasSelection()) void this.copy();
    };
    const pressed = () => document.addEventListener('mouseup', () => setTimeout(selected), { once: true });
    this.element.addEventListener('mousedown', pressed);
    this.#owned.add(toDisposable(() => this.element.removeEventListener('mousedown', pressed)));
  }

  #paste(text: string): void {
    this.#input.paste(text, this.#settings.terminal.confirmMultilinePaste);
  }

  async #loadFont(): Promise<void> {
    const { fontFamily, fontSize } = this.#settings.appearance;
    await loadFont(fontFamily, fontSize);
    if (this.#owned.disposed) return;
    this.#fontLoaded = true;
    this.#applyOptions();
    this.#openWhenReady();
  }

  #applyOptions(): void {
    Object.assign(this.#terminal.options, settingsOptions(this.#settings, this.#zoom));
    this.#terminal.options.theme = themeOf(this.element);
    this.#colours.applyAgain();
    this.#finder.recolour();
    this.#drawing.setRenderer(this.#settings.terminal.renderer);
    this.#fitting.fitNow();
  }

  #setVisible(visible: boolean): void {
    this.#visible = visible;
    this.#openWhenReady();
    if (this.#terminal.element !== undefined) this.#drawing.setVisible(visible);
  }

  /** xterm measures its cells when it opens: the font must be there and the host must have an area. */
  #openWhenReady(): void {
    if (!this.#fontLoaded || !this.#visible || this.#terminal.element !== undefined) return;
    this.#terminal.options.theme = themeOf(this.element);
    this.#terminal.open(this.element);
    this.#colours.applyAgain();
    drawIn(this.#terminal, this.#pace);
    drawNoEmptySelection(this.#terminal);
    const textarea = this.#terminal.textarea;
    textarea?.setAttribute('aria-label', this.#options.label);
    textarea?.addEventListener('focus', () => this.#events.fire('focusChanged', true));
    textarea?.addEventListener('blur', () => this.#events.fire('focusChanged', false));
    this.#drawing.setVisible(true);
    this.#fitting.fitNow();
  }

  #fitted(): void {
    const { cols, rows } = this.#terminal;
    const size = { cols, rows };
    if (this.#size !== null && sameSize(size, this.#size)) return;
    this.#size = size;
    this.#measured.resolve(size);
    if (this.#input.isLive) this.#link?.resize(size);
    this.#events.fire('sizeChanged', size);
  }

  #write(text: string): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(text, resolve));
  }
}

import { type ITerminalOptions, type ITheme, Terminal } from '@xterm/xterm';
import { type Disposable, DisposableStore } from '../../../shared/disposable.ts';
import { Emitter } from '../../../shared/emitter.ts';
import { OUTPUT_SLICE } from '../../../shared/terminal/limits.ts';
import { ProgramColours, THEME_COLOURS } from '../../../shared/terminal/program-colours.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import { REPLAY_SIZE_MAX, SNAPSHOT } from '../../../shared/transcripts/limits.ts';
import type { Snapshot } from '../../../shared/transcripts/transcript.ts';
import { joinGraphemes } from '../../terminal/bounded-graphemes.ts';
import { writeClipboard } from '../../terminal/clipboard.ts';
import { Finder } from '../../terminal/finder.ts';
import { loadFont } from '../../terminal/fonts.ts';
import { slicesOf } from '../../terminal/output-decoder.ts';
import { limitProgramRequests } from '../../terminal/program-requests.ts';
import { watchScale } from '../../terminal/scale.ts';
import type { TerminalEvents } from '../../terminal/terminal-events.ts';
import { FIXED_OPTIONS, settingsOptions, type TerminalSettings } from '../../terminal/terminal-options.ts';
import { themeOf } from '../../terminal/theme.ts';
import { fittingFont } from './font-fit.ts';
import { refuseMouse } from './mouse-modes.ts';
import type { ReplayScreen } from './screen.ts';
import { Still } from './still.ts';

/** Ends whatever sequence was begun, then resets everything (CAN, RIS), and the colours with it. */
const AFRESH = `\x18\x1bc${THEME_COLOURS}`;

/** Of a slice, times the cells that each of its sequences may clear: on a screen of 100 × 50 it is a live session's first. */
const SLICE_BYTES_CELLS = OUTPUT_SLICE.firstBytes * 100 * 50;

/** Nothing in a transcript opens anything. */
const INERT_LINKS: NonNullable<ITerminalOptions['linkHandler']> = { activate: () => {} };

interface ReplayEvents {
  sizeChanged: TerminalSize;
  selectionChanged: boolean;
}

/**
 * The terminal of a replay. It is cut off from everything that lives: nobody listens to what it answers, the keyboard does
 * not reach it, and clipboard, title, bell, mouse and links of the recorded program do nothing. It has the recorded size,
 * in a font that makes it fit.
 */
export class ReplayTerminal implements ReplayScreen, Disposable {
  readonly element = document.createElement('div');
  readonly #owned = new DisposableStore();
  readonly #events = new Emitter<ReplayEvents>();
  readonly #terminal: Terminal;
  readonly #still = new Still(this.element);
  readonly #finder: Finder;
  readonly #colours: ProgramColours;
  readonly #observer = new ResizeObserver(() => this.#openOrFit());
  readonly #label: string;
  #settings: TerminalSettings;
  /** Of the size that the terminal has when the next output takes effect. */
  #sliceBytes: number = OUTPUT_SLICE.minBytes;
  #fontLoaded = false;
  #held = false;
  /** Waits for a frame with what was sought. */
  #drawn: Disposable | null = null;

  /** `label`: what a screen reader calls it. */
  constructor(settings: TerminalSettings, label: string) {
    this.#settings = settings;
    this.#label = label;
    this.element.className = 'terminal-host replay-host';
    this.#terminal = this.#owned.add(
      new Terminal({ ...FIXED_OPTIONS, ...replayOptions(settings), linkHandler: INERT_LINKS }),
    );
    joinGraphemes(this.#terminal);
    this.#terminal.attachCustomKeyEventHandler(() => false);
    this.#owned.add(limitProgramRequests(this.#terminal, () => {}));
    this.#owned.add(refuseMouse(this.#terminal));
    this.#colours = this.#owned.add(new ProgramColours(this.#terminal));
    this.#owned.add(watchScale(() => this.#fit()));
    this.#finder = new Finder(this.#terminal, new Emitter<TerminalEvents>());
    this.#terminal.onSelectionChange(() =>
      this.#events.fire('selectionChanged', this.#terminal.hasSelection()),
    );
    void this.#loadFont();
  }

  on<Name extends keyof ReplayEvents>(
    name: Name,
    listener: (payload: ReplayEvents[Name]) => void,
  ): Disposable {
    return this.#events.on(name, listener);
  }

  /** Into `parent`, which scrolls what does not fit. */
  attach(parent: HTMLElement): void {
    parent.append(this.element);
    this.#observer.disconnect();
    this.#observer.observe(parent);
  }

  applySettings(settings: TerminalSettings): void {
    const newFont = settings.appearance.fontFamily !== this.#settings.appearance.fontFamily;
    this.#settings = settings;
    const { fontSize = settings.appearance.fontSize } = this.#terminal.options;
    Object.assign(this.#terminal.options, replayOptions(settings), { fontSize });
    this.#terminal.options.theme = replayTheme(this.element);
    this.#colours.applyAgain();
    this.#finder.recolour();
    if (newFont) void this.#loadFont();
    else this.#fit();
  }

  hold(): void {
    this.#held = true;
    this.#still.show();
  }

  release(): void {
    this.#held = false;
    this.#fit();
    this.#terminal.scrollToBottom();
    this.#reveal(this.#terminal.buffer.active.cursorY);
    if (this.#drawn !== null) return;
    this.#drawn = this.#terminal.onRender(() => this.#showLive());
    this.#terminal.refresh(0, this.#terminal.rows - 1);
  }

  restore({ size, screen }: Snapshot): void {
    this.#terminal.write(AFRESH, () => this.#setSize(size));
    this.#sliceBytes = sliceBytesOf(size);
    this.#terminal.write(screen);
  }

  /** In slices, between which the page has its turn: a few sequences may each clear a large screen (B30). */
  write(output: Uint8Array | string): void {
    for (const slice of slicesOf(output, this.#sliceBytes)) this.#terminal.write(slice);
  }

  resize(size: TerminalSize): void {
    this.#sliceBytes = sliceBytesOf(size);
    this.#terminal.write('', () => {
      this.#setSize(size);
      if (!this.#held) this.#fit();
    });
  }

  settled(): Promise<void> {
    return new Promise((resolve) => this.#terminal.write('', resolve));
  }

  get size(): TerminalSize {
    const { cols, rows } = this.#terminal;
    return { cols, rows };
  }

  get selection(): string {
    return this.#terminal.getSelection();
  }

  /** Marks go with it: looked for again after the next output, they would take the selection away. */
  selectAll(): void {
    this.#finder.end();
    this.#terminal.selectAll();
  }

  /** Null when the selection is on the clipboard, else why not. */
  async copy(): Promise<string | null> {
    return this.selection === '' ? 'Nothing is selected.' : writeClipboard(this.selection);
  }

  /** Marks a text on the screen, the last place of it first; false when it is not there. */
  mark(text: string): boolean {
    const found = this.#finder.find(text, 'previous', {}, this.element);
    const place = this.#terminal.getSelectionPosition();
    if (place !== undefined) this.#reveal(place.start.y - this.#terminal.buffer.active.viewportY);
    return found;
  }

  endMark(): void {
    this.#finder.end();
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#owned.dispose();
    this.#events.clear();
    this.element.remove();
  }

  /** What was sought is drawn. A still that a next seek has put up in the meantime stays. */
  #showLive(): void {
    this.#drawn?.dispose();
    this.#drawn = null;
    if (!this.#held) this.#still.remove();
  }

  #setSize({ cols, rows }: TerminalSize): void {
    if (this.#owned.disposed) return;
    this.#terminal.resize(Math.min(REPLAY_SIZE_MAX.cols, cols), Math.min(REPLAY_SIZE_MAX.rows, rows));
    this.#events.fire('sizeChanged', { cols, rows });
  }

  async #loadFont(): Promise<void> {
    const { fontFamily, fontSize } = this.#settings.appearance;
    await loadFont(fontFamily, fontSize);
    if (this.#owned.disposed) return;
    this.#fontLoaded = true;
    this.#openOrFit();
  }

  /** xterm measures its cells when it opens: the font must be there and its place must have an area. */
  #openOrFit(): void {
    const { parentElement } = this.element;
    if (!this.#fontLoaded || parentElement === null || parentElement.clientWidth === 0) return;
    if (this.#terminal.element === undefined) {
      this.#terminal.options.theme = replayTheme(this.element);
      this.#terminal.open(this.element);
      this.#colours.applyAgain();
      this.#terminal.textarea?.setAttribute('aria-label', this.#label);
    }
    this.#fit();
  }

  /** A screen that is higher than its place at the smallest font is scrolled there, to a row of it. */
  #reveal(row: number): void {
    const place = this.element.parentElement;
    const screen = this.element.querySelector<HTMLElement>('.xterm-screen');
    if (place === null || screen === null) return;
    const height = screen.offsetHeight / this.#terminal.rows;
    const top = screen.getBoundingClientRect().top - place.getBoundingClientRect().top + row * height;
    if (top < 0) place.scrollTop += top;
    else if (top + height > place.clientHeight) place.scrollTop += top + height - place.clientHeight;
  }

  #fit(): void {
    const place = this.element.parentElement;
    const { appearance } = this.#settings;
    // A second look: cells are whole pixels, so that what fits by proportion can still be too large.
    for (let look = 0; look < 2; look += 1) {
      const screen = this.element.querySelector<HTMLElement>('.xterm-screen');
      const { fontSize } = this.#terminal.options;
      if (place === null || screen === null || fontSize === undefined || screen.offsetWidth === 0) return;
      const { clientWidth, clientHeight } = place;
      const style = getComputedStyle(place);
      const room = {
        width: clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight),
        height: clientHeight - Number.parseFloat(style.paddingTop) - Number.parseFloat(style.paddingBottom),
      };
      const needed = { width: screen.offsetWidth, height: screen.offsetHeight };
      const fits = needed.width <= room.width && needed.height <= room.height;
      if (look === 1 && fits) return;
      const wanted = fittingFont(fontSize, needed, room, appearance.fontSize);
      if (wanted === fontSize) return;
      this.#terminal.options.fontSize = wanted;
    }
  }
}

function sliceBytesOf({ cols, rows }: TerminalSize): number {
  const { minBytes, maxBytes } = OUTPUT_SLICE;
  return Math.min(maxBytes, Math.max(minBytes, Math.floor(SLICE_BYTES_CELLS / (cols * rows))));
}

/** What was found is selected while the focus is elsewhere: it must stand out all the same. */
function replayTheme(element: Element): ITheme {
  const theme = themeOf(element);
  const { selectionBackground } = theme;
  return selectionBackground === undefined
    ? theme
    : { ...theme, selectionInactiveBackground: selectionBackground };
}

function replayOptions(settings: TerminalSettings): ITerminalOptions {
  return {
    ...settingsOptions(settings, 0),
    // As many as a snapshot holds: with more, play that began at one would differ from play that began at the start.
    scrollback: SNAPSHOT.scrollbackLines,
    cursorBlink: false,
    cursorInactiveStyle: settings.appearance.cursorStyle,
    disableStdin: true,
    // The text view is what a screen reader reads; a replay that talks while it plays would say it twice.
    screenReaderMode: false,
  };
}

import type { ILink, ILinkProvider, Terminal } from '@xterm/xterm';
import type { Disposable } from '../../shared/disposable.ts';

/**
 * The few private parts of xterm.js 6.0.0 that the page depends on; those that replays without a page need as well are in
 * shared/terminal/bounded-requests.ts. The version is pinned; each use is checked in a browser by e2e, and a part that is missing fails at once where it is needed.
 */
interface Core {
  readonly coreService: { onUserInput(listener: () => void): Disposable };
  readonly buffer: {
    readonly scrollTop: number;
    readonly scrollBottom: number;
    readonly lines: { readonly length: number; get(y: number): BufferLine | undefined };
  };
  readonly _inputHandler: { readonly _parser: { readonly currentState: number } };
  readonly _linkProviderService: { readonly linkProviders: readonly ILinkProvider[] };
  readonly _accessibilityManager: { readonly value: AccessibilityManager | undefined };
  readonly _selectionService: SelectionService;
  readonly _renderService: {
    readonly _renderDebouncer: { _coreBrowserService: { readonly window: Frames } };
    addRefreshCallback(callback: () => void): void;
  };
  _syncTextArea(): void;
}

interface SelectionService {
  readonly hasSelection: boolean;
  refresh(isMouse?: boolean): void;
}

/** Where frames to draw in come from. */
export type Frames = Pick<Window, 'requestAnimationFrame' | 'cancelAnimationFrame'>;

interface BufferLine {
  /** Whether the row goes on with the line of the row above. */
  isWrapped: boolean;
}

interface AccessibilityManager {
  _charsToAnnounce: string;
  _liveRegionLineCount: number;
}

function coreOf(terminal: object): Core {
  return (terminal as { _core: Core })._core;
}

/**
 * Calls `listener` right before each `onData` that a key, a composition or the mouse caused, and before no `onData`
 * that answers the program.
 */
export function onUserInput(terminal: Terminal, listener: () => void): Disposable {
  return coreOf(terminal).coreService.onUserInput(listener);
}

/** Whether the program's output stands between two sequences, so that text of our own would not land inside one. */
export function isBetweenSequences(terminal: Terminal): boolean {
  return coreOf(terminal)._inputHandler._parser.currentState === 0;
}

/**
 * Lets a terminal that is open take the frames in which it draws from `frames`. The hidden text area, which xterm moves to
 * the cursor with every piece of output, moves in those frames too: each of its moves makes the browser draw a frame.
 */
export function drawIn(terminal: Terminal, frames: Frames): void {
  const core = coreOf(terminal);
  core._renderService._renderDebouncer._coreBrowserService = { window: frames };
  const move = core._syncTextArea.bind(core);
  let due = false;
  core._syncTextArea = () => {
    if (due) return;
    due = true;
    core._renderService.addRefreshCallback(() => {
      due = false;
      move();
    });
  };
}

/**
 * With each frame of scrolling output xterm draws all rows a second time, for the selection that may have moved. After
 * this call a terminal that is open does so only when there is a selection, or was one.
 */
export function drawNoEmptySelection(terminal: Terminal): void {
  const selection = coreOf(terminal)._selectionService;
  const refresh = selection.refresh.bind(selection);
  let drawn = false;
  selection.refresh = (isMouse) => {
    if (!selection.hasSelection && !drawn) return;
    drawn = selection.hasSelection;
    refresh(isMouse);
  };
}

/** Whether the program has set a scroll region smaller than the screen. */
export function hasScrollRegion(terminal: Pick<Terminal, 'rows'>): boolean {
  const { scrollTop, scrollBottom } = coreOf(terminal).buffer;
  return scrollTop !== 0 || scrollBottom !== terminal.rows - 1;
}

/** The links of a buffer line (1-based), OSC 8 and plain ones. */
export function linksOfLine(terminal: Terminal, line: number): ILink[] {
  const links: ILink[] = [];
  for (const provider of coreOf(terminal)._linkProviderService.linkProviders) {
    provider.provideLinks(line, (found) => links.push(...(found ?? [])));
  }
  return links;
}

/** Text that screen reader mode has collected for its next announcement, in characters; null when the mode is off. */
export function pendingAnnouncement(terminal: Terminal): number | null {
  return coreOf(terminal)._accessibilityManager.value?._charsToAnnounce.length ?? null;
}

/** Replaces the collected text and makes screen reader mode silent until the next key, as after too many lines. */
export function replaceAnnouncement(terminal: Terminal, text: string): void {
  const manager = coreOf(terminal)._accessibilityManager.value;
  if (manager === undefined) return;
  manager._charsToAnnounce = text;
  manager._liveRegionLineCount = Number.MAX_SAFE_INTEGER;
}

/**
 * Runs `look` while a line that wraps over more than `maxRows` rows counts as several lines of `maxRows` rows, and a line
 * whose beginning has left the scrollback as one that begins at the first row. The row after the last one, which xterm
 * keeps from before a resize, belongs to no line. `look` must not write to the terminal.
 */
export function withShortLines<T>(terminal: object, maxRows: number, look: () => T): T {
  const { lines } = coreOf(terminal).buffer;
  const cut: BufferLine[] = [];
  let rows = 0;
  for (let y = 0; y <= lines.length; y += 1) {
    const line = lines.get(y);
    rows += 1;
    if (line?.isWrapped !== true) rows = 1;
    else if (y === 0 || y === lines.length || rows > maxRows) {
      line.isWrapped = false;
      cut.push(line);
      rows = 1;
    }
  }
  try {
    return look();
  } finally {
    for (const line of cut) line.isWrapped = true;
  }
}

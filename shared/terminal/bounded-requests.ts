import { type Disposable, DisposableStore } from '../disposable.ts';
import {
  LINK_LINES_MAX,
  LINK_MARKERS_MAX,
  LINK_MAX_CHARS,
  PALETTE_MAX_CHARS,
  SEQUENCE_MAX_CHARS,
} from './limits.ts';

/** Of xterm, headless or not. */
interface BoundedTerminal {
  readonly cols: number;
  readonly rows: number;
  readonly markers: readonly Disposable[];
  readonly parser: {
    registerOscHandler(code: number, handler: (payload: string) => boolean): Disposable;
    registerEscHandler(id: { final: string }, handler: () => boolean): Disposable;
  };
}

/** Private parts of xterm 6.0.0, which is pinned: program-requests.test.ts, for colours flood.spec.ts, fails where one of them changes. */
interface Core {
  readonly buffers: Readonly<Record<'normal' | 'alt', { clearAllMarkers(): void }>>;
  readonly _inputHandler: { readonly _parser: Parser };
  readonly _oscLinkService: {
    readonly _dataByLinkId: ReadonlyMap<number, { readonly lines: readonly Disposable[] }>;
    addLineToLink(link: number, line: number): void;
  };
  /** Carries out requests for colours. Not in headless terminals, which have none. */
  _handleColorEvent?(requests: readonly unknown[]): void;
  /** There once it is opened. */
  readonly _themeService?: { readonly _onChangeColors: { fire(colours: unknown): void } };
  registerCsiHandler(id: { final: string }, handler: (params: { params: Int32Array }) => boolean): Disposable;
}

interface Parser {
  readonly _oscParser: { readonly _handlers: Record<string, PayloadHandler[]> };
  readonly _dcsParser: { readonly _handlers: Record<string, PayloadHandler[]> };
}

/** Collects the payload of a sequence until its end. */
interface PayloadHandler {
  _data: string;
  _hitLimit: boolean;
  put(data: Uint32Array, start: number, end: number): void;
}

/**
 * Sequences whose count xterm takes at its word, up to two thousand million: a dozen bytes would hang whatever plays them
 * with everything else in it, or take all its memory. More than the screen has changes nothing, but for the repeated
 * character: a screen of it for each nine bytes would still freeze a page, so it gets one line, in which programs use it.
 */
const PER_ROW = ['L', 'M', 'S', 'T'] as const; // insert, delete lines; scroll up, down
const PER_COLUMN = ['I', 'Z', 'b'] as const; // tabs forward, backward; the character before again

/**
 * Bounds what a program's output can cost a terminal: counts, payloads, links. The same for panes, replays and the terminals
 * that index and export, so that all of them show the same. Payloads are those of all handlers that are registered by now.
 */
export function boundRequests(terminal: BoundedTerminal): Disposable {
  const handlers = new DisposableStore();
  handlers.add(terminal.parser.registerOscHandler(8, (payload) => !mayOpenLink(terminal, payload)));
  // xterm takes the colours of one sequence out of a list from its front, which costs the square of their number.
  handlers.add(terminal.parser.registerOscHandler(4, ({ length }) => length > PALETTE_MAX_CHARS));
  boundColourChanges(terminal);
  boundLinkLines(terminal);
  handlers.add(
    terminal.parser.registerEscHandler({ final: 'c' }, () => {
      forgetMarkers(terminal);
      return false;
    }),
  );
  boundPayloads(terminal);
  for (const final of PER_ROW) handlers.add(clampCount(terminal, final, () => terminal.rows));
  for (const final of PER_COLUMN) handlers.add(clampCount(terminal, final, () => terminal.cols));
  return handlers;
}

/**
 * xterm keeps a marker and the target of every OSC 8 link, even of one without text: a flood of links would take all
 * memory. Its target is bounded, and the oldest marker makes room for it. Ending a link is always served.
 */
function mayOpenLink(terminal: BoundedTerminal, payload: string): boolean {
  const target = payload.slice(payload.indexOf(';') + 1);
  if (target === '') return true;
  if (payload.length > LINK_MAX_CHARS * 2) return false;
  if (terminal.markers.length >= LINK_MARKERS_MAX) terminal.markers[0]?.dispose();
  return true;
}

/**
 * While an OSC 8 link is open xterm marks every line that output goes to, also when a program that was killed left it open.
 * After this call the oldest markers are given up for new ones, of each link and of the terminal.
 */
function boundLinkLines(terminal: BoundedTerminal): void {
  const links = coreOf(terminal)._oscLinkService;
  const add = links.addLineToLink.bind(links);
  links.addLineToLink = (link, line) => {
    add(link, line);
    const lines = links._dataByLinkId.get(link)?.lines ?? [];
    if (lines.length > LINK_LINES_MAX) lines[0]?.dispose();
    if (terminal.markers.length > LINK_MARKERS_MAX) terminal.markers[0]?.dispose();
  };
}

/** Draws the colours that one sequence sets or gives back once: xterm does for each, and one can name a hundred thousand. */
function boundColourChanges(terminal: BoundedTerminal): void {
  const core = coreOf(terminal);
  const handle = core._handleColorEvent?.bind(core);
  if (handle === undefined) return;
  core._handleColorEvent = (requests) => {
    const changes = core._themeService?._onChangeColors;
    if (changes === undefined) return;
    const { fire } = changes;
    let changed: readonly [unknown] | null = null;
    changes.fire = (colours) => {
      changed = [colours];
    };
    try {
      handle(requests);
    } finally {
      changes.fire = fire;
    }
    if (changed !== null) fire.call(changes, changed[0]);
  };
}

/** Gives up the markers of both screens. A reset of xterm's drops them without a word, and keeps their links for ever. */
function forgetMarkers(terminal: BoundedTerminal): void {
  const { normal, alt } = coreOf(terminal).buffers;
  for (const buffer of [normal, alt]) buffer.clearAllMarkers();
}

/** Drops sequences whose payload grows beyond its bound. */
function boundPayloads(terminal: BoundedTerminal): void {
  const { _oscParser, _dcsParser } = coreOf(terminal)._inputHandler._parser;
  for (const { _handlers } of [_oscParser, _dcsParser]) {
    for (const handler of Object.values(_handlers).flat()) boundPayload(handler);
  }
}

function boundPayload(handler: PayloadHandler): void {
  const put = handler.put.bind(handler);
  handler.put = (data, start, end) => {
    put(data, start, end);
    if (handler._data.length <= SEQUENCE_MAX_CHARS) return;
    handler._data = '';
    handler._hitLimit = true;
  };
}

/** Lowers the count of a control sequence to what `most` gives before xterm carries it out. */
function clampCount(terminal: BoundedTerminal, final: string, most: () => number): Disposable {
  return coreOf(terminal).registerCsiHandler({ final }, ({ params }) => {
    params[0] = Math.min(params[0] ?? 0, most());
    return false;
  });
}

function coreOf(terminal: object): Core {
  return (terminal as { _core: Core })._core;
}

import type { Disposable } from '../../../../shared/disposable.ts';
import type { TerminalSize } from '../../../../shared/terminal/size.ts';
import { SNAPSHOT } from '../../../../shared/transcripts/limits.ts';
import type { Span } from '../../../governed/manifest/rust-pattern.ts';
import type { ScreenBuffer } from '../../library/terminal/internals.ts';
import { isMasked } from './masked-form.ts';
import type { Rule } from './rules.ts';
import { ScreenText } from './screen-text.ts';
import { TrackedTerminal } from './tracked-terminal.ts';

/** What a rule found on a screen. Spans are UTF-16 offsets in all output. */
export interface ScreenHit {
  readonly rule: string;
  readonly text: string;
  readonly atMs: number;
  /** Its characters; none for those that no program wrote, such as a test picture's. */
  readonly shown: readonly Span[];
  /** The same characters as they stood there before, while it was not whole. */
  readonly earlier: readonly Span[];
}

/** What a search plays: `code` as in the file. */
export interface PlayedEvent {
  readonly atUs: number;
  readonly code: string;
  readonly data: string;
  readonly size?: TerminalSize;
}

/** Hits that are remembered; when there are more, some are told once more. */
const KNOWN_MAX = 10_000;
const LINE_FEED = 0x0a;
/** A text may go over some rows. */
const ROWS_BESIDE = 2;
/** UTF-16 units of output after which the screen is looked at, besides the end of each event. */
const LOOK_EVERY_CHARS = 1_024;
/** Rows that plain output may write to, or scroll by, before the screen is looked at: each is still there then. */
const LOOK_EVERY_ROWS = SNAPSHOT.scrollbackLines / 2;
/** Text, colours, line ends: nothing that it does not write to changes, but for what it scrolls. */
const PLAIN = /^(?:[^\x00-\x09\x0b-\x1f\x7f-\x9f]|\r\n|\x1b\[[\d;:]*m)*$/;
/** The beginning of a line end or of a sequence, which shows nothing yet. */
const CUT = /(?:\r|\x1b(?:\[[\d;:]*)?)$/;
/** And before what goes back over text or takes it away. */
const BEFORE_CHANGES = /(?=\r(?!\n)|(?<!\x08)\x08|\x1b\[[\d;?]*[@JKLMPXl]|\x1bc)/;

/**
 * Plays a recording and looks at its screens for what the rules find there, however it was drawn: after each event, and
 * before what would wipe it out; where there is nothing but lines, at those that they write. What stands there for longer is found again only when some of it was drawn anew.
 */
export function searchScreens(
  size: TerminalSize,
  rules: readonly Rule[],
  events: Iterable<PlayedEvent>,
  found: (hit: ScreenHit) => void,
): void {
  const search = new ScreenSearch(size, rules, found);
  try {
    for (const { atUs, code, data, size: resized } of events) {
      if (code === 'o') search.write(data, atUs / 1_000);
      else if (resized !== undefined) search.resize(resized, atUs / 1_000);
    }
  } finally {
    search.dispose();
  }
}

class ScreenSearch implements Disposable {
  readonly #rules: readonly Rule[];
  readonly #found: (hit: ScreenHit) => void;
  readonly #tracked: TrackedTerminal;
  #buffer: ScreenBuffer;
  /** Rows from the top of the buffer that were looked at when they left the screen. */
  #seenRows = 0;
  #trimming: Disposable;
  readonly #looked = { all: '', written: '' };
  /** Found before, by the characters that it is of. */
  readonly #known = new Set<string>();
  #atMs = 0;
  #offset = 0;
  /** See `CUT`; written with what follows. */
  #cut = '';

  constructor(size: TerminalSize, rules: readonly Rule[], found: (hit: ScreenHit) => void) {
    this.#rules = rules;
    this.#found = found;
    this.#tracked = new TrackedTerminal(size);
    this.#buffer = this.#tracked.terminal.active;
    this.#trimming = this.#watchTrimming();
  }

  write(data: string, atMs: number): void {
    this.#atMs = atMs;
    const whole = this.#cut + data;
    this.#cut = CUT.exec(whole)?.[0] ?? '';
    const text = whole.slice(0, whole.length - this.#cut.length);
    if (PLAIN.test(text)) {
      this.#writePieces(text, (from) => this.#plainEnd(text, from));
      return;
    }
    for (const part of text.split(BEFORE_CHANGES))
      this.#writePieces(part, (from) => pairEnd(part, from + LOOK_EVERY_CHARS));
    this.#look('all');
  }

  /** Looks at the rows that each piece has written to. */
  #writePieces(text: string, endOf: (from: number) => number): void {
    for (let at = 0; at < text.length; ) {
      const piece = text.slice(at, endOf(at));
      this.#play(piece);
      at += piece.length;
      this.#look('written');
    }
  }

  #play(text: string): void {
    this.#tracked.write(text, this.#offset);
    this.#offset += text.length;
  }

  /** Each line is a row at least, and so is each screen's width of characters, two columns wide at most. */
  #plainEnd(text: string, from: number): number {
    const { cols } = this.#tracked.terminal.size;
    let rows = 0;
    let inRow = 0;
    let at = from;
    for (; at < text.length && rows < LOOK_EVERY_ROWS; at += 1) {
      inRow += text.charCodeAt(at) < 0x300 ? 1 : 2;
      if (text.charCodeAt(at) !== LINE_FEED && inRow < cols) continue;
      inRow = 0;
      rows += 1;
    }
    return pairEnd(text, at);
  }

  resize(size: TerminalSize, atMs: number): void {
    this.#atMs = atMs;
    this.#play(this.#cut);
    this.#cut = '';
    this.#tracked.terminal.resize(size);
    this.#seenRows = Math.min(this.#seenRows, this.#buffer.ybase);
    this.#look('all');
  }

  dispose(): void {
    this.#trimming.dispose();
    this.#tracked.dispose();
  }

  /** Within an event at the rows that were just written to, and those beside them; at its end at all. */
  #look(rows: 'all' | 'written'): void {
    this.#followBuffer();
    const { ybase, lines } = this.#buffer;
    const { start, end } = this.#tracked.terminal.core._inputHandler._dirtyRowTracker;
    const top = rows === 'all' ? ybase : ybase + Math.max(0, start - ROWS_BESIDE);
    const from = Math.min(this.#seenRows, top);
    const to = rows === 'all' ? lines.length : Math.min(lines.length, ybase + end + 1 + ROWS_BESIDE);
    this.#seenRows = ybase;
    const screen = this.#read(from, to, false);
    if (screen.text === this.#looked[rows]) return;
    const found = [screen, ...(screen.hasFullRows ? [this.#read(from, to, true)] : [])].map((one) =>
      this.#search(one),
    );
    // Where something was found the same text may be drawn anew, of other characters.
    this.#looked[rows] = found.includes(true) ? '' : screen.text;
  }

  #read(from: number, to: number, joinsFull: boolean): ScreenText {
    return new ScreenText(this.#buffer, from, to, joinsFull);
  }

  /** Whether anything was found. */
  #search(screen: ScreenText): boolean {
    let any = false;
    for (const rule of this.#rules) {
      for (const span of rule.find(screen.text)) {
        const text = screen.text.slice(span.start, span.end);
        if (isMasked(text)) continue;
        any = true;
        this.#hit(rule, text, screen, span);
      }
    }
    return any;
  }

  #hit(rule: Rule, text: string, screen: ScreenText, span: Span): void {
    const parts = screen.partsOf(span);
    const shown = parts.flatMap((part) => this.#tracked.originsOf(part));
    if (this.#isKnown(rule, shown)) return;
    const characters = new Set(Array.from(text.replace(/\s/g, ''), (one) => one.codePointAt(0) ?? 0));
    const earlier = parts.flatMap((part) => this.#tracked.takeEarlier(part, text.length, characters));
    this.#found({ rule: rule.name, text, atMs: this.#atMs, shown, earlier });
  }

  #isKnown(rule: Rule, shown: readonly Span[]): boolean {
    const key = `${rule.name}\0${shown.map(({ start }) => start).join()}`;
    if (this.#known.has(key)) return true;
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.add(key);
    return false;
  }

  /** Full-screen programs draw in another buffer, and a reset makes new ones. */
  #followBuffer(): void {
    const { active } = this.#tracked.terminal;
    if (active === this.#buffer) return;
    this.#buffer = active;
    this.#seenRows = active.ybase;
    this.#trimming.dispose();
    this.#trimming = this.#watchTrimming();
  }

  #watchTrimming(): Disposable {
    return this.#buffer.lines.onTrim((count) => {
      this.#seenRows = Math.max(0, this.#seenRows - count);
    });
  }
}

/** A pair of surrogates stays together. */
function pairEnd(text: string, end: number): number {
  return (text.charCodeAt(end) & 0xfc00) === 0xdc00 ? end + 1 : end;
}

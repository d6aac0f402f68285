import { REDACTION } from '../../../../shared/transcripts/limits.ts';
import { isMasked, maskedForm } from './masked-form.ts';
import { PlainText } from './plain-text.ts';
import type { Rule } from './rules.ts';
import { type ScanSink, TerminalScanner } from './scanner.ts';

/** Something to remove: scanned characters from `start` to `end`, of one channel. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
  /** Masked, for a list. */
  readonly shown: string;
}

/** Rising by start. */
export interface ChannelMatches {
  readonly text: readonly Match[];
  readonly strings: readonly Match[];
}

/**
 * Searches what a terminal shows of a channel (the output, or the input) and, apart from it, what is inside its strings.
 * What is shown is read twice: with each jump of the cursor ending a line, as programs draw screens, and as if it did not
 * jump at all, as text that was drawn in pieces or that an edited command line wrapped.
 */
export class ChannelSearch implements ScanSink {
  readonly #rules: readonly Rule[];
  readonly #scanner = new TerminalScanner();
  readonly #lines: Window;
  readonly #joined: Window;
  readonly #strings: Window;
  #scanned = '';
  #texts = 0;
  #stringTexts = 0;
  #returned = false;

  constructor(rules: readonly Rule[], bounds: WindowBounds = WINDOW) {
    this.#rules = rules;
    this.#lines = new Window(rules, bounds);
    this.#joined = new Window(rules, bounds);
    this.#strings = new Window(rules, bounds);
  }

  push(text: string): void {
    this.#scanned = text;
    this.#scanner.scan(text, this);
    this.#search(false);
  }

  end(): ChannelMatches {
    this.#search(true);
    return {
      text: merged([...this.#lines.matches, ...this.#joined.matches]),
      strings: merged(this.#strings.matches),
    };
  }

  text(from: number, to: number): void {
    this.#settleReturn();
    const characters = this.#scanned.slice(from, to);
    this.#lines.plain.addScanned(characters, this.#texts);
    this.#joined.plain.addScanned(characters, this.#texts);
    this.#texts += characters.length;
  }

  tab(): void {
    this.#shown('\t', '\t');
  }

  lineFeed(): void {
    this.#returned = false;
    this.#lines.plain.addShown('\n');
    this.#joined.plain.addShown('\n');
  }

  /** Line editors wrap with a blank that the next character overwrites. */
  carriageReturn(): void {
    this.#returned = true;
    this.#joined.plain.dropBlank();
  }

  forward(): void {
    this.#shown(' ', '');
  }

  jump(): void {
    this.#settleReturn();
    if (!this.#lines.plain.isAtLineStart) this.#lines.plain.addShown('\n');
  }

  string(from: number, to: number): void {
    const characters = this.#scanned.slice(from, to);
    this.#strings.plain.addScanned(characters, this.#stringTexts);
    this.#stringTexts += characters.length;
  }

  stringEnd(): void {
    this.#strings.plain.addShown('\n');
  }

  #shown(inLines: string, inJoined: string): void {
    this.#settleReturn();
    this.#lines.plain.addShown(inLines);
    if (inJoined !== '') this.#joined.plain.addShown(inJoined);
  }

  /** A return that no line feed follows goes back over the line. */
  #settleReturn(): void {
    if (!this.#returned) return;
    this.#returned = false;
    if (!this.#lines.plain.isAtLineStart) this.#lines.plain.addShown('\n');
  }

  #search(last: boolean): void {
    if (this.#rules.length === 0) return;
    for (const window of [this.#lines, this.#joined, this.#strings]) window.search(last);
  }
}

/** How searches are bounded, in UTF-16 units. */
interface WindowBounds {
  /** Searched at once. */
  readonly chars: number;
  /** Of a match that is surely found whole. */
  readonly overlapChars: number;
}

const WINDOW: WindowBounds = { chars: 4 * 1024 * 1024, overlapChars: 256 * 1024 };
/** Searched again, so that a pattern sees what is before a match (`\b`). */
const CONTEXT_CHARS = 64;

/** A window that moves over a channel as it grows. */
class Window {
  readonly plain = new PlainText();
  readonly matches: Match[] = [];
  readonly #rules: readonly Rule[];
  readonly #bounds: WindowBounds;
  readonly #found = new Map<Rule, number>();

  constructor(rules: readonly Rule[], bounds: WindowBounds) {
    this.#rules = rules;
    this.#bounds = bounds;
  }

  search(last: boolean): void {
    if (this.plain.length < (last ? 1 : this.#bounds.chars)) return;
    const text = this.plain.text.toWellFormed();
    // What begins behind this may go on in what is not here yet.
    const limit = last ? text.length : text.length - this.#bounds.overlapChars;
    for (const rule of this.#rules) this.#searchFor(rule, text, limit);
    this.plain.forgetBefore(last ? text.length : Math.max(0, limit - CONTEXT_CHARS));
  }

  #searchFor(rule: Rule, text: string, limit: number): void {
    let count = this.#found.get(rule) ?? 0;
    for (const span of rule.find(text)) {
      if (span.start >= limit) break;
      const scanned = this.plain.scannedIn(span);
      const found = text.slice(span.start, span.end);
      if (scanned === null || isMasked(found)) continue;
      // Later ones are in no list.
      const shown = count < REDACTION.listedMax ? maskedForm(found) : '';
      this.matches.push({ ...scanned, rule: rule.name, shown });
      count += 1;
    }
    this.#found.set(rule, count);
  }
}

/** In order; where the same rule was found twice in the same place, by another reading or window, that is one match. */
function merged(matches: readonly Match[]): Match[] {
  const inOrder = matches.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const lastOf = new Map<string, { index: number; end: number }>();
  const result: Match[] = [];
  for (const match of inOrder) {
    const last = lastOf.get(match.rule);
    const before = last && result[last.index];
    if (last !== undefined && before !== undefined && match.start < last.end) {
      last.end = Math.max(last.end, match.end);
      result[last.index] = { ...before, end: last.end };
    } else {
      lastOf.set(match.rule, { index: result.length, end: match.end });
      result.push(match);
    }
  }
  return result;
}

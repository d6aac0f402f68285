import type { ChannelMatches, Match } from './channel.ts';
import { ColumnCounter } from './columns.ts';
import { MASK } from './masked-form.ts';
import { type ScanSink, TerminalScanner } from './scanner.ts';

/**
 * Replaces what was found in a channel by as many columns of `█`; control sequences stay where they are. Is given the same
 * strings in the same order as the search.
 */
export class ChannelMask implements ScanSink {
  readonly #scanner = new TerminalScanner();
  readonly #columns = new ColumnCounter();
  readonly #text: Cover;
  readonly #strings: Cover;
  #scanned = '';
  /** Of `#scanned`, up to where it is in `#result`. */
  #taken = 0;
  #result = '';

  constructor({ text, strings }: ChannelMatches, removed: (match: Match) => void) {
    this.#text = new Cover(text, removed);
    this.#strings = new Cover(strings, removed);
  }

  mask(text: string): string {
    this.#scanned = text;
    this.#taken = 0;
    this.#result = '';
    this.#scanner.scan(text, this);
    return this.#taken === 0 ? text : this.#result + text.slice(this.#taken);
  }

  text(from: number, to: number): void {
    for (const { start, end } of this.#text.of(from, to)) this.#replace(start, end);
  }

  string(from: number, to: number): void {
    for (const { start, end } of this.#strings.of(from, to)) this.#replace(start, end);
  }

  stringEnd(): void {}
  tab(): void {}
  lineFeed(): void {}
  carriageReturn(): void {}
  forward(): void {}
  jump(): void {}

  #replace(from: number, to: number): void {
    this.#result += this.#scanned.slice(this.#taken, from);
    this.#taken = to;
    this.#columns.reset();
    for (const character of this.#scanned.slice(from, to)) {
      this.#result += MASK.repeat(this.#columns.count(character.codePointAt(0) ?? 0));
    }
  }
}

/** Which of the characters that are given one run after the other are covered. */
class Cover {
  readonly #matches: readonly Match[];
  readonly #removed: (match: Match) => void;
  #next = 0;
  #ordinal = 0;
  #coveredTo = 0;

  constructor(matches: readonly Match[], removed: (match: Match) => void) {
    this.#matches = matches;
    this.#removed = removed;
  }

  /** The covered parts of the next run, which stands at `from` to `to` of some string. */
  *of(from: number, to: number): Generator<{ start: number; end: number }> {
    const first = this.#ordinal;
    const behind = first + to - from;
    this.#ordinal = behind;
    let at = first;
    while (at < behind) {
      const next = this.#matches[this.#next];
      if (next !== undefined && next.start <= at) {
        this.#next += 1;
        this.#coveredTo = Math.max(this.#coveredTo, next.end);
        this.#removed(next);
        continue;
      }
      const open = this.#coveredTo <= at;
      const until = Math.min(behind, next?.start ?? behind, open ? behind : this.#coveredTo);
      if (!open) yield { start: from + at - first, end: from + until - first };
      at = until;
    }
  }
}

import type { Span } from '../../../governed/manifest/rust-pattern.ts';
import type { ChannelMatches, Match } from './channel.ts';
import { ColumnCounter } from './columns.ts';
import { MASK } from './masked-form.ts';
import { type ScanSink, TerminalScanner } from './scanner.ts';
import { mergedSpans, SpanWalk } from './spans.ts';

/**
 * Replaces what was found in a channel by as many columns of `█`; control sequences stay where they are. Is given the same
 * strings in the same order as the search.
 */
export class ChannelMask implements ScanSink {
  readonly #scanner = new TerminalScanner();
  readonly #columns = new ColumnCounter();
  readonly #text: Cover;
  readonly #strings: Cover;
  readonly #onScreen: SpanWalk;
  #spans: Span[] = [];

  /** `onScreen`: what else is replaced, as merged offsets in all strings: characters that are shown. */
  constructor(
    { text, strings }: ChannelMatches,
    removed: (match: Match) => void,
    onScreen: readonly Span[] = [],
  ) {
    this.#text = new Cover(text, removed);
    this.#strings = new Cover(strings, removed);
    this.#onScreen = new SpanWalk(onScreen);
  }

  mask(text: string): string {
    return masked(text, this.spansOf(text), this.#columns);
  }

  /** What is replaced of the next string. */
  spansOf(text: string): Span[] {
    this.#spans = this.#onScreen.take(text.length);
    this.#scanner.scan(text, this);
    return mergedSpans(this.#spans);
  }

  text(from: number, to: number): void {
    for (const span of this.#text.of(from, to)) this.#spans.push(span);
  }

  string(from: number, to: number): void {
    for (const span of this.#strings.of(from, to)) this.#spans.push(span);
  }

  stringEnd(): void {}
  tab(): void {}
  lineFeed(): void {}
  carriageReturn(): void {}
  forward(): void {}
  jump(): void {}
}

/** `spans`: merged, of `text`. */
export function masked(text: string, spans: readonly Span[], columns: ColumnCounter): string {
  let result = '';
  let taken = 0;
  for (const { start, end } of spans) {
    result += text.slice(taken, start);
    taken = end;
    columns.reset();
    for (const character of text.slice(start, end)) {
      result += MASK.repeat(columns.count(character.codePointAt(0) ?? 0));
    }
  }
  return taken === 0 ? text : result + text.slice(taken);
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

import type { Span } from '../../../governed/manifest/rust-pattern.ts';

/** Spans in order, none touching another. */
export function mergedSpans(spans: readonly Span[]): Span[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/** Spans of a channel as its strings are taken one after the other. */
export class SpanWalk {
  readonly #spans: readonly Span[];
  #next = 0;
  #offset = 0;

  /** Merged ones: UTF-16 offsets in all strings of the channel. */
  constructor(spans: readonly Span[]) {
    this.#spans = spans;
  }

  /** The parts that are in the next string, as offsets in it. */
  take(length: number): Span[] {
    const [from, to] = [this.#offset, this.#offset + length];
    this.#offset = to;
    const parts: Span[] = [];
    for (;;) {
      const span = this.#spans[this.#next];
      if (span === undefined || span.start >= to) return parts;
      const part = { start: Math.max(span.start, from) - from, end: Math.min(span.end, to) - from };
      if (part.end > part.start) parts.push(part);
      if (span.end > to) return parts;
      this.#next += 1;
    }
  }
}

/** Whether an offset is in one of merged spans. */
export function isIn(spans: readonly Span[], offset: number): boolean {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return (spans[low]?.start ?? Number.POSITIVE_INFINITY) <= offset;
}

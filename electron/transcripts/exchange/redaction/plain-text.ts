import type { Span } from '../../../governed/manifest/rust-pattern.ts';

/** Characters of the window that stand one behind the other in what was scanned as well. */
interface Run {
  /** Of its first character in the window, and in what was scanned. */
  readonly start: number;
  readonly ordinal: number;
  length: number;
}

/**
 * A window of text to search in, which knows where each of its characters is in what was scanned. Between them may stand
 * characters that a terminal only shows as if they were there, such as a blank that the cursor jumped over.
 */
export class PlainText {
  #pieces: string[] = [];
  #length = 0;
  #runs: Run[] = [];

  get length(): number {
    return this.#length;
  }

  get text(): string {
    if (this.#pieces.length > 1) this.#pieces = [this.#pieces.join('')];
    return this.#pieces[0] ?? '';
  }

  get isAtLineStart(): boolean {
    const last = this.#pieces.at(-1);
    return last === undefined || last.endsWith('\n');
  }

  /** `ordinal`: number of the first of them among all scanned characters. */
  addScanned(characters: string, ordinal: number): void {
    const last = this.#runs.at(-1);
    const follows =
      last !== undefined &&
      last.start + last.length === this.#length &&
      last.ordinal + last.length === ordinal;
    if (follows) last.length += characters.length;
    else this.#runs.push({ start: this.#length, ordinal, length: characters.length });
    this.#add(characters);
  }

  addShown(character: string): void {
    this.#add(character);
  }

  /** Takes a blank at the end away. */
  dropBlank(): void {
    const last = this.#pieces.pop();
    if (last === undefined) return;
    if (!last.endsWith(' ')) {
      this.#pieces.push(last);
      return;
    }
    if (last.length > 1) this.#pieces.push(last.slice(0, -1));
    this.#length -= 1;
    const run = this.#runs.at(-1);
    if (run === undefined || run.start + run.length <= this.#length) return;
    run.length -= 1;
    if (run.length === 0) this.#runs.pop();
  }

  /** What a span of the window is in what was scanned, with what is between; null when it is nothing. */
  scannedIn({ start, end }: Span): Span | null {
    const first = this.#runs[this.#runBehind(start)];
    const last = this.#runs[this.#runAt(end - 1)];
    if (first === undefined || last === undefined || first.start >= end) return null;
    return {
      start: first.ordinal + Math.max(0, start - first.start),
      end: last.ordinal + Math.min(last.length, end - last.start),
    };
  }

  forgetBefore(index: number): void {
    const text = this.text.slice(index);
    this.#runs = this.#runs.slice(this.#runBehind(index)).map(({ start, ordinal, length }) => {
      const cut = Math.max(0, index - start);
      return { start: start + cut - index, ordinal: ordinal + cut, length: length - cut };
    });
    this.#pieces = text === '' ? [] : [text];
    this.#length = text.length;
  }

  #add(characters: string): void {
    this.#pieces.push(characters);
    this.#length += characters.length;
  }

  /** The last run that begins at or before an index of the window; -1 when there is none. */
  #runAt(index: number): number {
    let low = 0;
    let high = this.#runs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#runs[middle]?.start ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The first run that ends behind an index of the window. */
  #runBehind(index: number): number {
    const at = this.#runAt(index);
    const run = this.#runs[at];
    return run !== undefined && run.start + run.length > index ? at : at + 1;
  }
}

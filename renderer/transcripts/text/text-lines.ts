import { TEXT_LINES_MAX } from '../../../shared/transcripts/limits.ts';
import type { OpenedTranscript, TextLine } from '../../../shared/transcripts/transcript.ts';
import type { TranscriptsApi } from '../transcripts-api.ts';

/** Lines of one page, and pages that are kept in memory: 50,000 lines. */
const PAGE = TEXT_LINES_MAX / 4;
const PAGES_MAX = 200;

/** What of a transcript its text depends on. */
export type TextOf = Pick<OpenedTranscript, 'id' | 'textLines' | 'bytes' | 'durationMs' | 'indexed'>;

interface Page {
  readonly lines: readonly TextLine[];
  /** Of the text, when it was asked for. */
  readonly version: number;
}

/**
 * The final text of a transcript, read page by page where somebody looks. While it grows its last lines change as well, those
 * that are on the screen: what was read before is shown until it is read anew.
 */
export class TextLines {
  readonly #api: TranscriptsApi;
  readonly #onChange: () => void;
  /** In the order of use, oldest first. */
  readonly #pages = new Map<number, Page>();
  /** Of this version. */
  readonly #asked = new Map<number, Promise<readonly TextLine[] | null>>();
  #of: TextOf;
  #version = 0;
  #disposed = false;

  /** `onChange`: lines or their number are known that were not. */
  constructor(api: TranscriptsApi, of: TextOf, onChange: () => void) {
    this.#api = api;
    this.#of = of;
    this.#onChange = onChange;
  }

  get total(): number {
    return this.#of.textLines;
  }

  /** A line as far as it is known, or null while it is on its way; asks for it where nobody has. */
  line(index: number): TextLine | null {
    const page = Math.floor(index / PAGE);
    const known = this.#pages.get(page);
    if (known?.version !== this.#version) void this.#read(page);
    if (known === undefined) return null;
    this.#pages.delete(page);
    this.#pages.set(page, known);
    return known.lines[index - page * PAGE] ?? null;
  }

  /** Lines `from` up to, not including, `to`, for copying what is not all on the screen. Null when one cannot be read. */
  async range(from: number, to: number): Promise<readonly TextLine[] | null> {
    const pages = [];
    for (let page = Math.floor(from / PAGE); page * PAGE < to; page += 1) pages.push(this.#read(page));
    const read = (await Promise.all(pages)).flatMap((page) => page ?? []);
    const lines = read.filter(({ line }) => line >= from && line < to);
    return lines.length === to - from ? lines : null;
  }

  /**
   * The line that was written last at a moment. Lines are about in the order of their times, so that this looks at a few
   * pages only; where a program rewrote its screen it is a line near by. Null where there is no text.
   */
  async lineAt(atMs: number): Promise<number | null> {
    if (this.total === 0) return null;
    let low = 0;
    let high = Math.ceil(this.total / PAGE) - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const first = (await this.#read(middle))?.[0];
      if (first !== undefined && first.atMs <= atMs) low = middle;
      else high = middle - 1;
    }
    const lines = await this.#read(low);
    return lines?.findLast((line) => line.atMs <= atMs)?.line ?? low * PAGE;
  }

  /** `of`: what is known of the transcript now. Where somebody looks it is read anew when it is not what it was. */
  grown(of: TextOf): void {
    const { textLines, bytes, durationMs, indexed } = this.#of;
    const isSame = textLines === of.textLines && bytes === of.bytes;
    if (isSame && durationMs === of.durationMs && indexed === of.indexed) return;
    this.#of = of;
    this.#version += 1;
    this.#asked.clear();
    this.#onChange();
  }

  dispose(): void {
    this.#disposed = true;
  }

  #read(page: number): Promise<readonly TextLine[] | null> {
    const known = this.#pages.get(page);
    if (known?.version === this.#version) return Promise.resolve(known.lines);
    const asked = this.#asked.get(page);
    if (asked !== undefined) return asked;
    const reading = this.#ask(page);
    this.#asked.set(page, reading);
    return reading;
  }

  async #ask(page: number): Promise<readonly TextLine[] | null> {
    const version = this.#version;
    const answer = await this.#api.request('transcripts.text', {
      id: this.#of.id,
      from: page * PAGE,
      count: PAGE,
    });
    if (version === this.#version) this.#asked.delete(page);
    if (this.#disposed || !answer.ok) return null;
    const { lines } = answer.value;
    if ((this.#pages.get(page)?.version ?? 0) > version) return lines;
    this.#pages.set(page, { lines, version });
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > PAGES_MAX && oldest !== undefined) this.#pages.delete(oldest);
    this.#onChange();
    return lines;
  }
}

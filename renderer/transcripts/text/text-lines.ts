import { TEXT_LINES_MAX } from '../../../shared/transcripts/limits.ts';
import type { TextLine } from '../../../shared/transcripts/transcript.ts';
import type { TranscriptsApi } from '../transcripts-api.ts';

/** Lines of one page, and pages that are kept in memory: 50,000 lines. */
const PAGE = TEXT_LINES_MAX / 4;
const PAGES_MAX = 200;

/** The final text of a transcript, read page by page where somebody looks. */
export class TextLines {
  readonly #api: TranscriptsApi;
  readonly #id: string;
  readonly #onChange: () => void;
  /** In the order of use, oldest first. */
  readonly #pages = new Map<number, readonly TextLine[]>();
  readonly #asked = new Map<number, Promise<readonly TextLine[] | null>>();
  #total: number;
  #disposed = false;

  /** `onChange`: lines or their number are known that were not. */
  constructor(api: TranscriptsApi, id: string, total: number, onChange: () => void) {
    this.#api = api;
    this.#id = id;
    this.#total = total;
    this.#onChange = onChange;
  }

  get total(): number {
    return this.#total;
  }

  /** A line, or null while it is on its way; asks for it where nobody has. */
  line(index: number): TextLine | null {
    const page = Math.floor(index / PAGE);
    const lines = this.#pages.get(page);
    if (lines !== undefined) {
      this.#pages.delete(page);
      this.#pages.set(page, lines);
      return lines[index - page * PAGE] ?? null;
    }
    void this.#read(page);
    return null;
  }

  /** Lines `from` up to, not including, `to`: for copying what is not all on the screen. */
  async range(from: number, to: number): Promise<readonly TextLine[]> {
    const pages = [];
    for (let page = Math.floor(from / PAGE); page * PAGE < to; page += 1) pages.push(this.#read(page));
    const lines = (await Promise.all(pages)).flatMap((page) => page ?? []);
    return lines.filter(({ line }) => line >= from && line < to);
  }

  /**
   * The line that was written last at a moment. Lines are about in the order of their times, so that this looks at a few
   * pages only; where a program rewrote its screen it is a line near by. Null where there is no text.
   */
  async lineAt(atMs: number): Promise<number | null> {
    if (this.#total === 0) return null;
    let low = 0;
    let high = Math.ceil(this.#total / PAGE) - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const first = (await this.#read(middle))?.[0];
      if (first !== undefined && first.atMs <= atMs) low = middle;
      else high = middle - 1;
    }
    const lines = await this.#read(low);
    return lines?.findLast((line) => line.atMs <= atMs)?.line ?? low * PAGE;
  }

  /** Reads anew what has grown; `total` is what is known of it. */
  grown(total: number): void {
    if (total === this.#total) return;
    this.#total = total;
    this.#pages.clear();
    this.#onChange();
  }

  dispose(): void {
    this.#disposed = true;
  }

  #read(page: number): Promise<readonly TextLine[] | null> {
    const known = this.#pages.get(page);
    if (known !== undefined) return Promise.resolve(known);
    const asked = this.#asked.get(page);
    if (asked !== undefined) return asked;
    const reading = this.#ask(page);
    this.#asked.set(page, reading);
    return reading;
  }

  async #ask(page: number): Promise<readonly TextLine[] | null> {
    const answer = await this.#api.request('transcripts.text', {
      id: this.#id,
      from: page * PAGE,
      count: PAGE,
    });
    this.#asked.delete(page);
    if (this.#disposed || !answer.ok) return null;
    this.#pages.set(page, answer.value.lines);
    this.#total = answer.value.total;
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > PAGES_MAX && oldest !== undefined) this.#pages.delete(oldest);
    this.#onChange();
    return answer.value.lines;
  }
}

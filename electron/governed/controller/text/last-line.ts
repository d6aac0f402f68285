import { PROMPT_LINE_MAX_CHARS, WORKER_SIZE } from '../../../../shared/governed/limits.ts';

const COLUMNS = WORKER_SIZE.cols;
const TAB_COLUMNS = 8;
const COMBINING = /^(?:\p{M}|\u200d)$/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]$|^[\u{20000}-\u{3fffd}]$|^\p{Emoji_Presentation}$/u;
/** What E26 trims: Unicode's white space, as Rust has it; JavaScript's `trim` differs on U+0085 and U+FEFF. */
const WHITE_ENDS = /^\p{White_Space}+|\p{White_Space}+$/gu;

export function trimmed(text: string): string {
  return text.replace(WHITE_ENDS, '');
}

/**
 * The last line of a terminal as it looks, with the cursor in it. Goes beyond E33, which leaves CR and backspace in the text:
 * here they move the cursor and later characters replace earlier ones, and the line's own erasures and moves count, so that
 * the prompts of real shells are lines that match (B19). A line that the terminal wraps into rows is one line all the same;
 * but as the cursor moves in its row only, what was written anew from a row's start may be the prompt by itself: shells
 * fill the row after output without a line end, to get to the next one. A move to another line begins a line of unknown
 * content, which is taken for empty.
 *
 * Line ends are those of E27: the one after the last line belongs to it, and a second makes an empty last line.
 */
export class LastLine {
  /** One per column: a character with its combining ones, or '' for the second half of a wide one. */
  #cells: string[] = [];
  /** From the start of the line; a row's width beyond `#row` when its last column was written and the next one is due. */
  #column = 0;
  /** Where the row of the cursor begins: the last row of the line. */
  #row = 0;
  /** Where the last row begins that was written anew from its start. */
  #rewritten = 0;
  /** One more than the furthest column written beyond what is kept; 0 when there is none. */
  #beyond = 0;
  #isEnded = false;

  /**
   * What a prompt may be: the last row when it was written anew from its start, the whole line, and of both what stands
   * left of the cursor when the rest stands clearly apart from it, as a right-hand prompt does. Trimmed, never empty, each
   * once.
   */
  get candidates(): readonly string[] {
    if (this.#beyond > 0) return [];
    const cells = this.#cells;
    const apart = cells[this.#column] === ' ' && cells[this.#column + 1] === ' ';
    const ends = apart ? [cells.length, this.#column] : [cells.length];
    const lines = [this.#rewritten, 0].flatMap((start) =>
      ends.map((end) => trimmed(cells.slice(start, end).join(''))),
    );
    return [...new Set(lines)].filter((line) => line !== '');
  }

  print(text: string): void {
    this.#touch();
    for (const character of text) {
      if (this.#column >= PROMPT_LINE_MAX_CHARS) {
        this.#skip(text.length);
        return;
      }
      if (character < '\x7f') this.#put(character, 1);
      else if (COMBINING.test(character)) this.#join(character);
      else this.#put(character, WIDE.test(character) ? 2 : 1);
    }
  }

  lineFeed(): void {
    if (this.#isEnded) this.#clear();
    this.#isEnded = true;
  }

  carriageReturn(): void {
    // The CR of CRLF comes before the line's end; one after it is in the next line.
    this.#touch();
    if (this.#row >= PROMPT_LINE_MAX_CHARS) this.#clear();
    this.#rewritten = this.#row;
    this.#column = this.#row;
  }

  backspace(): void {
    this.#touch();
    this.#goTo(this.#cursor - 1);
  }

  tab(): void {
    this.#touch();
    this.#goTo(this.#cursor + TAB_COLUMNS - ((this.#cursor - this.#row) % TAB_COLUMNS));
  }

  /** Another line, of which nothing is known. */
  leave(): void {
    this.#clear();
    this.#isEnded = false;
  }

  moveBy(columns: number): void {
    this.#touch();
    this.#goTo(this.#cursor + columns);
  }

  /** A column of the row. */
  moveTo(column: number): void {
    this.#touch();
    this.#goTo(this.#row + column);
  }

  eraseAll(): void {
    this.#erase(0, Number.POSITIVE_INFINITY);
  }

  eraseRow(): void {
    this.#erase(this.#row, Number.POSITIVE_INFINITY);
  }

  eraseRight(): void {
    this.#erase(this.#cursor, Number.POSITIVE_INFINITY);
  }

  eraseLeft(): void {
    this.#erase(this.#row, this.#cursor + 1);
  }

  eraseColumns(count: number): void {
    this.#erase(this.#cursor, this.#cursor + count);
  }

  deleteColumns(count: number): void {
    if (!this.#isEnded) this.#cells.splice(this.#cursor, count);
  }

  /** What is pushed out of the row is lost. */
  insertColumns(count: number): void {
    if (this.#isEnded || this.#cursor >= this.#cells.length) return;
    const blanks = new Array<string>(Math.min(count, COLUMNS)).fill(' ');
    this.#cells.splice(this.#cursor, 0, ...blanks);
    this.#cells.length = Math.min(this.#cells.length, this.#row + COLUMNS);
  }

  /** Columns from `from` up to but not including `to`, without moving the cursor. */
  #erase(from: number, to: number): void {
    if (this.#isEnded) return;
    if (to >= this.#beyond && from <= this.#cells.length) this.#beyond = 0;
    if (to >= this.#cells.length) this.#cells.length = Math.min(from, this.#cells.length);
    else this.#cells.fill(' ', from, to);
  }

  /** The column that the cursor is shown in. */
  get #cursor(): number {
    return Math.min(this.#column, this.#row + COLUMNS - 1);
  }

  /** As far as the row goes. */
  #goTo(column: number): void {
    this.#column = Math.max(this.#row, Math.min(column, this.#row + COLUMNS - 1));
  }

  /** After a line's end, whatever changes a line changes the next one. */
  #touch(): void {
    if (!this.#isEnded) return;
    this.#clear();
    this.#isEnded = false;
  }

  #clear(): void {
    this.#cells = [];
    this.#column = 0;
    this.#row = 0;
    this.#rewritten = 0;
    this.#beyond = 0;
  }

  /** Too far right to be kept: only that there is something is known, and roughly up to where. */
  #skip(columns: number): void {
    this.#column += columns;
    this.#row = this.#column - (this.#column % COLUMNS);
    this.#beyond = Math.max(this.#beyond, this.#column);
  }

  #put(character: string, width: 1 | 2): void {
    if (this.#column + width > this.#row + COLUMNS) {
      this.#row += COLUMNS;
      this.#column = this.#row;
    }
    const column = this.#column;
    this.#column += width;
    while (this.#cells.length < column) this.#cells.push(' ');
    // Half of a wide character cannot be shown.
    if (this.#cells[column] === '') this.#cells[column - 1] = ' ';
    if (this.#cells[column + width] === '') this.#cells[column + width] = ' ';
    this.#cells[column] = character;
    if (width === 2) this.#cells[column + 1] = '';
  }

  #join(character: string): void {
    const column = this.#cells[this.#column - 1] === '' ? this.#column - 2 : this.#column - 1;
    const cell = this.#cells[column];
    if (cell !== undefined && cell.length < CELL_MAX_CHARS) this.#cells[column] = cell + character;
  }
}

/** Code units of one cell; more combining characters are left out of the line, not of the text. */
const CELL_MAX_CHARS = 32;

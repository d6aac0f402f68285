import { EscapeParser } from './escape-parser.ts';
import { LastLine } from './last-line.ts';
import { Utf8Reader } from './utf8-reader.ts';

/** Private modes that show another screen, or this one again. */
const SCREEN_MODES = /^\?(.*;)?(47|1047|1049)(;|$)/;

/** Null where it is missing. */
function firstNumber(sequence: string): number | null {
  const digits = /^\d+/.exec(sequence)?.[0];
  return digits === undefined ? null : Number(digits);
}

/**
 * A terminal's output as text (E26, E28): decoded, without escape sequences, and its last line as it looks. Incremental: the
 * result is the same wherever the bytes were cut, and costs the same for each of them.
 */
export class OutputText {
  readonly #reader = new Utf8Reader();
  readonly #parser: EscapeParser;
  #line = new LastLine();
  #parts: string[] = [];

  constructor() {
    this.#parser = new EscapeParser({
      print: (text) => {
        this.#parts.push(text);
        this.#line.print(text);
      },
      control: (character) => {
        this.#parts.push(character);
        this.#control(character);
      },
      csi: (sequence, final) => {
        // Colours are most of what comes.
        if (final === 'm') return;
        if (SCREEN_MODES.test(sequence)) this.#line.leave();
        else if (/^[\d;]*$/.test(sequence)) this.#edit(final, firstNumber(sequence));
      },
      escape: (final) => {
        // IND, NEL, RI, restore cursor, reset.
        if ('DEM8c'.includes(final)) this.#line.leave();
      },
    });
  }

  push(bytes: Uint8Array): void {
    this.#parser.parse(this.#reader.read(bytes));
  }

  /** Everything since the last `take`, without escape sequences; CR and backspace stay in it (E28, E33). */
  get text(): string {
    const text = this.#parts.join('');
    this.#parts = text === '' ? [] : [text];
    return text;
  }

  /** Gives the text so far and begins a new one, with a new last line. A sequence that is open stays open. */
  take(): string {
    const { text } = this;
    this.#parts = [];
    this.#line = new LastLine();
    return text;
  }

  /** What may be the prompt; see `LastLine`. None while a character or a sequence is not whole. */
  get promptCandidates(): readonly string[] {
    if (this.#reader.isWithinCharacter || this.#parser.isWithinSequence) return [];
    return this.#line.candidates;
  }

  #control(character: string): void {
    switch (character) {
      case '\n':
      case '\v':
      case '\f':
        this.#line.lineFeed();
        return;
      case '\r':
        this.#line.carriageReturn();
        return;
      case '\b':
        this.#line.backspace();
        return;
      case '\t':
        this.#line.tab();
    }
  }

  /** The control sequences that change or leave the line; all others change how it looks, not what it says. */
  #edit(final: string, parameter: number | null): void {
    const count = parameter || 1;
    const line = this.#line;
    switch (final) {
      case 'C':
      case 'a':
        line.moveBy(count);
        return;
      case 'D':
        line.moveBy(-count);
        return;
      case 'G':
      case '`':
        line.moveTo(count - 1);
        return;
      case 'K':
        if (parameter === 2) line.eraseRow();
        else this.#erase(parameter ?? 0);
        return;
      case 'J':
        // Below the cursor nothing is known; above it, only this line.
        if (parameter === 2) line.eraseAll();
        else this.#erase(parameter ?? 0);
        return;
      case 'X':
        line.eraseColumns(count);
        return;
      case 'P':
        line.deleteColumns(count);
        return;
      case '@':
        line.insertColumns(count);
        return;
      case 'A':
      case 'B':
      case 'E':
      case 'F':
      case 'H':
      case 'd':
      case 'e':
      case 'f':
      case 'L':
      case 'M':
      case 'S':
      case 'T':
      case 'u':
        line.leave();
    }
  }

  #erase(which: number): void {
    if (which === 0) this.#line.eraseRight();
    else if (which === 1) this.#line.eraseLeft();
  }
}

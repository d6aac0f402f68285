/** Letters and signs that stand in cells of their own and join nothing beside them. */
const PLAIN =
  /[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u2bff\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60\ufffd]/;
/** 1 for every UTF-16 unit that is plain. */
const isPlain = Uint8Array.from({ length: 0x1_0000 }, (_, unit) => +PLAIN.test(String.fromCharCode(unit)));

const COLOURS = /\x1b\[[\d;:]*m/g;

const CR = 0x0d;
const LF = 0x0a;
const ESC = 0x1b;
const OPENING_BRACKET = 0x5b;
const DIGIT_0 = 0x30;
const SEMICOLON = 0x3b;
const LETTER_M = 0x6d;

/** What is left of a text without its colours; kept from one look to the next. */
let shown = new Uint16Array(1024 * 1024);

export interface PlainLines {
  /** Without their colours. */
  readonly lines: readonly string[];
  /** Behind the last line end. */
  readonly end: number;
  /** What ends them: the first thing that is not plain, or the end of the text. */
  readonly stop: number;
}

/**
 * The whole lines from `start` on that a terminal only lets scroll by: text, colours, CR LF. Their text is known without
 * playing them, which is what makes a flood of log lines cheap. Ends at the first thing that is not that plain.
 */
export function plainLinesOf(text: string, start: number): PlainLines {
  // As numbers: of a string each look at a place costs several times as much.
  const bytes = Buffer.from(text.slice(start), 'utf16le');
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  if (shown.length < units.length) shown = new Uint16Array(units.length);
  const out = shown;
  /** Where each line ends in it. */
  const ends: number[] = [];
  let length = 0;
  let end = 0;
  let at = 0;
  while (at < units.length) {
    const unit = units[at] ?? 0;
    if (isPlain[unit] === 1) {
      out[length++] = unit;
      at += 1;
    } else if (unit === CR && units[at + 1] === LF) {
      ends.push(length);
      end = at = at + 2;
    } else {
      const after = unit === ESC ? colourEnd(units, at) : at;
      if (after === at) break;
      at = after;
    }
  }
  return { lines: linesOf(ends), end: start + end, stop: start + at };
}

/** Behind the colour sequence at a place; that place when there is none. */
function colourEnd(units: Uint16Array, start: number): number {
  if (units[start + 1] !== OPENING_BRACKET) return start;
  let at = start + 2;
  // Digits, ':' and ';' follow each other.
  for (let unit = units[at] ?? 0; unit >= DIGIT_0 && unit <= SEMICOLON; unit = units[at] ?? 0) at += 1;
  return units[at] === LETTER_M ? at + 1 : start;
}

function linesOf(ends: readonly number[]): string[] {
  const text = Buffer.from(shown.buffer, 0, (ends.at(-1) ?? 0) * 2).toString('utf16le');
  let from = 0;
  return ends.map((end) => {
    const line = text.slice(from, end);
    from = end;
    return line;
  });
}

/** What plain lines that went by leave of their colours: the sequences since the last one that took all back. */
export function coloursLeftBy(text: string): string {
  const rest = text.slice(Math.max(0, text.lastIndexOf('\x1b[0m')));
  return (
    rest
      .slice(Math.max(0, rest.lastIndexOf('\x1b[m')))
      .match(COLOURS)
      ?.join('') ?? ''
  );
}

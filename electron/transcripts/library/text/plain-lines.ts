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
const SEMICOLON = 0x3b;
const LETTER_M = 0x6d;

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
  const lines: string[] = [];
  let end = start;
  /** The line so far, and where it goes on. */
  let line = '';
  let from = start;
  let at = start;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (isPlain[unit] === 1) {
      at += 1;
    } else if (unit === ESC) {
      const after = colourEnd(text, at);
      if (after === at) break;
      line += text.slice(from, at);
      from = at = after;
    } else if (unit === CR && text.charCodeAt(at + 1) === LF) {
      lines.push(line + text.slice(from, at));
      line = '';
      end = from = at = at + 2;
    } else break;
  }
  return { lines, end, stop: at };
}

/** Behind the colour sequence at a place; that place when there is none. */
function colourEnd(text: string, start: number): number {
  if (text.charCodeAt(start + 1) !== OPENING_BRACKET) return start;
  for (let at = start + 2; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LETTER_M) return at + 1;
    // Digits, ':' and ';' follow each other.
    if (unit < 0x30 || unit > SEMICOLON) return start;
  }
  return start;
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

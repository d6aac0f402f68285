/** Anything but line ends, and letters and signs that stand in cells of their own and join nothing beside them. */
const NOT_PLAIN =
  /\r(?!\n)|[^\r\n\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u2bff\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60\ufffd]/;
const LINE_FEED_ALONE = /(?<!\r)\n/;
const COLOURS = /\x1b\[[\d;:]*m/g;

export interface PlainLines {
  /** Without their colours. */
  readonly lines: readonly string[];
  /** Behind the last line end. */
  readonly end: number;
}

/**
 * The whole lines from `start` on that a terminal only lets scroll by: text, colours, CR LF. Their text is known without
 * playing them, which is what makes a flood of log lines cheap. Ends at the first thing that is not that plain.
 */
export function plainLinesOf(text: string, start: number): PlainLines {
  const end = text.lastIndexOf('\r\n') + 2;
  if (end - 2 <= start) return { lines: [], end: start };
  const whole = text.slice(start, end).replace(COLOURS, '');
  // Most of the time all of it is; else it is looked for where that ends.
  if (isPlain(whole)) return { lines: whole.slice(0, -2).split('\r\n'), end };
  return plainLinesBefore(text, start);
}

function plainLinesBefore(text: string, start: number): PlainLines {
  const lines: string[] = [];
  let at = start;
  for (;;) {
    const lineEnd = text.indexOf('\n', at) + 1;
    const shown = text.slice(at, lineEnd).replace(COLOURS, '');
    if (lineEnd === 0 || !isPlain(shown)) return { lines, end: at };
    lines.push(shown.slice(0, -2));
    at = lineEnd;
  }
}

function isPlain(shown: string): boolean {
  return !NOT_PLAIN.test(shown) && !LINE_FEED_ALONE.test(shown);
}

/** What plain lines that went by leave of their colours: the sequences since the last one that took all back. */
export function coloursLeftBy(text: string): string {
  const reset = Math.max(text.lastIndexOf('\x1b[0m'), text.lastIndexOf('\x1b[m'));
  return text.slice(Math.max(0, reset)).match(COLOURS)?.join('') ?? '';
}

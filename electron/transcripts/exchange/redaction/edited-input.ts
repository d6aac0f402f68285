import type { Match } from './channel.ts';
import { maskedLength } from './masked-form.ts';
import { type ScanSink, TerminalScanner } from './scanner.ts';

/** What the report calls it. */
const NAME = 'input that was edited';
/** A paste's own brackets edit nothing. */
const PASTE = /\x1b\[20[01]~/g;
const EDITS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/**
 * Lines of input with keys in them that edit: a shell made of these something that nobody can tell from them alone, so that
 * no rule sees what stands there. They are matches as a whole.
 */
export function editedInput(texts: Iterable<string>): Match[] {
  const matches: Match[] = [];
  const scanner = new TerminalScanner();
  let ordinal = 0;
  const sink: ScanSink = {
    text(from, to) {
      ordinal += to - from;
    },
    tab() {},
    lineFeed() {},
    carriageReturn() {},
    forward() {},
    jump() {},
    string() {},
    stringEnd() {},
  };
  let line = '';
  let start = 0;
  const endLine = () => {
    if (ordinal > start && EDITS.test(line.replace(PASTE, ''))) {
      matches.push({ start, end: ordinal, rule: NAME, shown: maskedLength(ordinal - start) });
    }
    line = '';
    start = ordinal;
  };
  for (const text of texts) {
    for (const part of text.split(/(?<=[\r\n])/)) {
      scanner.scan(part, sink);
      line += part;
      if (/[\r\n]$/.test(part)) endLine();
    }
  }
  endLine();
  return matches;
}

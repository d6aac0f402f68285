import { COMMAND_MAX_BYTES } from '../../../shared/governed/limits.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';

/** In double quotes a backslash quotes only these; before a line end it joins the lines. */
const QUOTABLE = '$`"\\\n';

/**
 * The words of a startup command, split as a POSIX shell splits them: quotes and backslashes, comments, and nothing else. No
 * variable, pattern or operator means anything. Fails with the text of X10 or X11.
 */
export function startupArgv(command: string): Result<string[], string> {
  if (Buffer.byteLength(command) > COMMAND_MAX_BYTES || command.includes('\0')) {
    return fail('X11: terminal startup argv exceeds input limit');
  }
  const words = splitWords(command);
  if (words === null || words[0] === undefined || words[0] === '') {
    return fail('X10: invalid terminal startup argv');
  }
  return ok(words);
}

/** Null when a quote is not closed, or a backslash quotes nothing. */
function splitWords(text: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    at += 1;
    if (char === ' ' || char === '\t' || char === '\n') {
      if (word !== null) words.push(word);
      word = null;
    } else if (char === '#' && word === null) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (char === '\\') {
      if (at === text.length) return null;
      const quoted = text.charAt(at);
      at += 1;
      if (quoted !== '\n') word = (word ?? '') + quoted;
    } else if (char === "'" || char === '"') {
      const piece = char === "'" ? singleQuoted(text, at) : doubleQuoted(text, at);
      if (piece === null) return null;
      word = (word ?? '') + piece.text;
      at = piece.end;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (word !== null) words.push(word);
  return words;
}

interface Piece {
  readonly text: string;
  /** Index after the closing quote. */
  readonly end: number;
}

function singleQuoted(text: string, start: number): Piece | null {
  const close = text.indexOf("'", start);
  return close < 0 ? null : { text: text.slice(start, close), end: close + 1 };
}

function doubleQuoted(text: string, start: number): Piece | null {
  let piece = '';
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') return { text: piece, end: at + 1 };
    const next = text.charAt(at + 1);
    if (char === '\\' && next !== '' && QUOTABLE.includes(next)) {
      if (next !== '\n') piece += next;
      at += 1;
    } else {
      piece += char;
    }
  }
  return null;
}

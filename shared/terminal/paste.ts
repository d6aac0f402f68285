import { LINE_MAX_BYTES, PASTE_MAX_BYTES } from './limits.ts';

const START = '\u001b[200~';
const END = '\u001b[201~';
const CR = 0x0d;
const LINE_ENDS = /\r\n|\n/g;
/** C0, DEL and C1 but tab and carriage return: ESC and U+009B could end a bracketed paste, the others act as keys. */
// biome-ignore lint/complexity/useRegexLiterals: the escapes are easier to check as text
const CONTROLS = new RegExp('[\\u0000-\\u0008\\u000a-\\u000c\\u000e-\\u001f\\u007f-\\u009f]', 'g');

/** What a person is asked before a paste, and what would be sent. */
export interface PasteQuestion {
  /** The text after cleaning, lines ended by CR. */
  readonly text: string;
  readonly lines: number;
  /** Bytes of UTF-8. */
  readonly bytes: number;
  /** Control characters that were removed. */
  readonly removed: number;
  /** Bytes of a line that a program reading whole lines would get cut off (B12), or null. */
  readonly longLineBytes: number | null;
}

export type PastePlan =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'ask'; readonly question: PasteQuestion }
  | { readonly kind: 'send'; readonly text: string };

export interface PasteConditions {
  /** The program asked for bracketed paste: it takes the text as text and runs nothing. */
  readonly bracketed: boolean;
  /** The setting of that name. */
  readonly confirmMultiline: boolean;
}

/**
 * What to do with text from a clipboard or a drop (B11, B12). Without bracketed paste every line end runs a command,
 * so lines are asked about; there a line longer than the kernel's line buffer is always asked about.
 */
export function planPaste(raw: string, conditions: PasteConditions): PastePlan {
  if (raw.length > PASTE_MAX_BYTES) return refusal();
  const typed = withEnterKeys(raw);
  const text = typed.replace(CONTROLS, '');
  if (text === '') return { kind: 'nothing' };
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > PASTE_MAX_BYTES) return refusal();
  if (conditions.bracketed) return { kind: 'send', text };
  const lines = measureLines(bytes);
  const longLineBytes = lines.longest > LINE_MAX_BYTES ? lines.longest : null;
  const runs = text.includes('\r');
  if (longLineBytes === null && !(runs && conditions.confirmMultiline)) return { kind: 'send', text };
  const removed = typed.length - text.length;
  return { kind: 'ask', question: { text, lines: lines.count, bytes: bytes.length, removed, longLineBytes } };
}

/** Line ends become CR, as the Enter key sends it; every other control but tab is removed. */
export function cleanPaste(raw: string): string {
  return withEnterKeys(raw).replace(CONTROLS, '');
}

function withEnterKeys(raw: string): string {
  return raw.replace(LINE_ENDS, '\r');
}

/**
 * The bytes of a paste. Cleaned text cannot hold a marker, so there is exactly one start and one end when the program
 * asked for them, and none otherwise.
 */
export function framePaste(text: string, bracketed: boolean): Uint8Array {
  const clean = cleanPaste(text);
  return new TextEncoder().encode(bracketed ? START + clean + END : clean);
}

function refusal(): PastePlan {
  const limit = PASTE_MAX_BYTES / (1024 * 1024);
  return {
    kind: 'refused',
    reason: `A paste can be at most ${limit} MiB. Nothing was pasted; use a file for more.`,
  };
}

function measureLines(bytes: Uint8Array): { count: number; longest: number } {
  let count = 0;
  let longest = 0;
  let length = 0;
  for (const byte of bytes) {
    if (byte === CR) {
      count += 1;
      length = 0;
    } else {
      length += 1;
      longest = Math.max(longest, length);
    }
  }
  return { count: length > 0 ? count + 1 : count, longest };
}

import type { InputOrigin } from '../../shared/terminal/input-origin.ts';

/**
 * The client's escape sequences (ST-11…ST-17), as a pure function over bytes.
 *
 * The start of a line: nothing sent yet, or the last byte *sent* was CR or LF (ST-15). Bytes are sent by typing,
 * pasting and programs alike, so after a paste that ends in CR a typed `~.` works, and after a pasted `cd ` a typed
 * `~.ssh` is text. The markers of a bracketed paste are looked through: what they enclose decides. `reply` bytes,
 * which the terminal sends by itself, move nothing.
 *
 * Only `typed` bytes are scanned (ST-16). A paste or a program's chunk first sends a tilde that typing had left
 * held, because it was typed earlier, and then passes byte for byte; nothing is held afterwards.
 */
export interface EscapeState {
  readonly startOfLine: boolean;
  /** A typed escape character waits for the byte that decides; it has not been sent (ST-15). */
  readonly held: boolean;
  /** Bytes of a bracketed-paste marker that the last pasted bytes match; they may go on in the next chunk. */
  readonly marker: number;
}

export type EscapeEffect =
  | { readonly kind: 'forward'; readonly bytes: Uint8Array }
  | { readonly kind: 'disconnect' }
  | { readonly kind: 'break' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'help' };

export interface EscapeStep {
  readonly state: EscapeState;
  /** In order. Forwarded bytes are views into the chunk wherever possible, never copies. */
  readonly effects: readonly EscapeEffect[];
  /** What follows a disconnect or suspend in the same chunk: not scanned, not sent. Usually empty. */
  readonly rest: Uint8Array;
}

export type EscapeCommand = Exclude<EscapeEffect['kind'], 'forward'>;

interface Sequence {
  readonly byte: number;
  /** How a person presses it after the escape character. */
  readonly key: string;
  readonly command: EscapeCommand;
  readonly meaning: string;
}

const SEQUENCES: readonly Sequence[] = [
  { byte: 0x2e, key: '.', command: 'disconnect', meaning: 'End the session and remove its sandbox' },
  { byte: 0x42, key: 'B', command: 'break', meaning: 'Send BREAK' },
  { byte: 0x1a, key: 'Ctrl-Z', command: 'suspend', meaning: 'Suspend this pane; any key resumes it' },
  { byte: 0x3f, key: '?', command: 'help', meaning: 'List these sequences' },
];

const CR = 0x0d;
const LF = 0x0a;
const EMPTY = new Uint8Array(0);

export const INITIAL_ESCAPE_STATE: EscapeState = { startOfLine: true, held: false, marker: 0 };

/** `escapeByte` is the byte of the profile's escape character, or null where it is switched off (ST-17). */
export function scanInput(
  state: EscapeState,
  escapeByte: number | null,
  origin: InputOrigin,
  bytes: Uint8Array,
): EscapeStep {
  if (bytes.length === 0) return { state, effects: [], rest: EMPTY };
  if (escapeByte === null || origin === 'reply') return { state, effects: [forward(bytes)], rest: EMPTY };
  return origin === 'typed' ? scanTyped(state, escapeByte, bytes) : passThrough(state, escapeByte, bytes);
}

/** What `~?` lists: an escape character that is also a command's key sends itself when doubled (ST-14). */
export function escapeHelp(character: string): { keys: string; meaning: string }[] {
  const commands = SEQUENCES.filter((sequence) => sequence.key !== character).map(({ key, meaning }) => ({
    keys: `${character}${key}`,
    meaning,
  }));
  return [...commands, { keys: `${character}${character}`, meaning: `Send one ${character}` }];
}

function scanTyped(before: EscapeState, escapeByte: number, bytes: Uint8Array): EscapeStep {
  const effects: EscapeEffect[] = [];
  let held = before.held;
  let startOfLine = atStartOfLine(before);
  let unsent = 0;

  const forwardUpTo = (end: number) => {
    if (end > unsent) effects.push(forward(bytes.subarray(unsent, end)));
  };

  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (held) {
      held = false;
      const command =
        byte === escapeByte ? undefined : SEQUENCES.find((sequence) => sequence.byte === byte)?.command;
      if (command !== undefined) {
        effects.push({ kind: command });
        unsent = at + 1;
        // A handled sequence sent nothing: the line still starts here.
        if (command === 'disconnect' || command === 'suspend') {
          return { state: { startOfLine, held, marker: 0 }, effects, rest: bytes.subarray(unsent) };
        }
        continue;
      }
      if (byte !== escapeByte) effects.push(forward(Uint8Array.of(escapeByte)));
    } else if (startOfLine && byte === escapeByte) {
      forwardUpTo(at);
      unsent = at + 1;
      held = true;
      continue;
    }
    startOfLine = endsLine(byte);
  }
  forwardUpTo(bytes.length);
  return { state: { startOfLine, held, marker: 0 }, effects, rest: EMPTY };
}

function passThrough(before: EscapeState, escapeByte: number, bytes: Uint8Array): EscapeStep {
  const effects = before.held ? [forward(Uint8Array.of(escapeByte)), forward(bytes)] : [forward(bytes)];
  let startOfLine = before.startOfLine && !before.held;
  let marker = before.held ? 0 : before.marker;
  for (const byte of bytes) {
    if (continuesMarker(marker, byte)) {
      marker = (marker + 1) % MARKER_BYTES;
    } else {
      startOfLine = endsLine(byte);
      marker = 0;
    }
  }
  return { state: { startOfLine, held: false, marker }, effects, rest: EMPTY };
}

/** An unfinished marker was text after all, and its last byte ends no line. */
function atStartOfLine(state: EscapeState): boolean {
  return state.startOfLine && state.marker === 0;
}

/** ESC [ 2 0 0 ~ and ESC [ 2 0 1 ~. */
const MARKER_BYTES = 6;
const MARKER_START: readonly number[] = [0x1b, 0x5b, 0x32, 0x30];

function continuesMarker(matched: number, byte: number): boolean {
  if (matched < MARKER_START.length) return byte === MARKER_START[matched];
  return matched === MARKER_START.length ? byte === 0x30 || byte === 0x31 : byte === 0x7e;
}

function endsLine(byte: number): boolean {
  return byte === CR || byte === LF;
}

function forward(bytes: Uint8Array): EscapeEffect {
  return { kind: 'forward', bytes };
}

/**
 * Key chords and the map from chords to commands. Pure: events come in as plain data, the map goes out as plain data.
 *
 * A terminal belongs to the program in it, so a command may only have a chord that programs do without: Ctrl+Shift or
 * Alt+Shift on Linux and Windows, Cmd on macOS. Everything else is the program's.
 */
export type KeyPlatform = 'linux' | 'windows' | 'mac';

export interface Chord {
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  readonly meta: boolean;
  /** `A`, `1`, `=`, `F5`, `Left`, `PageUp` …: the key without what Shift makes of it. */
  readonly key: string;
}

/** What is read of a KeyboardEvent. */
export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
}

const NAMED_KEYS: Record<string, string> = {
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  Escape: 'Escape',
  Enter: 'Enter',
  Tab: 'Tab',
  ' ': 'Space',
  Backspace: 'Backspace',
  Delete: 'Delete',
  Insert: 'Insert',
  Home: 'Home',
  End: 'End',
  PageUp: 'PageUp',
  PageDown: 'PageDown',
};

/** Keys whose character depends on Shift or the layout: named by where they are on the keyboard. */
const KEYS_BY_CODE: Record<string, string> = {
  Equal: '=',
  Minus: '-',
  Comma: ',',
  Period: '.',
  Slash: '/',
  Semicolon: ';',
  Quote: "'",
  BracketLeft: '[',
  BracketRight: ']',
  Backquote: '`',
  Backslash: '\\',
  NumpadAdd: '=',
  NumpadSubtract: '-',
};

const KNOWN_KEYS = new Set([...Object.values(NAMED_KEYS), ...Object.values(KEYS_BY_CODE)]);
const MODIFIERS = ['Ctrl', 'Alt', 'Shift', 'Meta'] as const;

/** "Ctrl+Shift+P": modifiers in one order, one spelling for each key. */
export function chordText(chord: Chord): string {
  const held = [chord.ctrl, chord.alt, chord.shift, chord.meta];
  return [...MODIFIERS.filter((_, index) => held[index]), chord.key].join('+');
}

/** Reads what `chordText` writes, in any order and case of modifiers; `Cmd` and `Option` are taken too. Null when it is none. */
export function parseChord(text: string): Chord | null {
  const parts = text.split('+').map((part) => part.trim());
  const key = normalKey(parts.pop() ?? '');
  if (key === null) return null;
  const chord = { ctrl: false, alt: false, shift: false, meta: false, key };
  for (const part of parts) {
    const modifier = modifierOf(part.toLowerCase());
    if (modifier === null || chord[modifier]) return null;
    chord[modifier] = true;
  }
  return chord;
}

/** The chord of a key press; null while only modifiers are held or for a key without a name. */
export function chordOf(press: KeyPress): Chord | null {
  const key = pressedKey(press);
  if (key === null) return null;
  return { ctrl: press.ctrlKey, alt: press.altKey, shift: press.shiftKey, meta: press.metaKey, key };
}

/** Why a command must not have this chord; null when it may. */
export function refusalOf(chord: Chord, platform: KeyPlatform): string | null {
  if (platform === 'mac') {
    return chord.meta ? null : `${chordText(chord)} belongs to the program in the terminal. Use Cmd.`;
  }
  if (chord.meta) return `${chordText(chord)} belongs to the desktop. Use Ctrl+Shift or Alt+Shift.`;
  return chord.shift && (chord.ctrl || chord.alt)
    ? null
    : `${chordText(chord)} belongs to the program in the terminal. Use Ctrl+Shift or Alt+Shift.`;
}

/** Chords that a browser keeps for itself, whatever the page says. */
export function keptByBrowser(chord: Chord, platform: KeyPlatform): boolean {
  const text = chordText(chord);
  const kept =
    platform === 'mac'
      ? ['Meta+T', 'Meta+N', 'Meta+W', 'Meta+Q', 'Shift+Meta+T', 'Shift+Meta+N', 'Shift+Meta+W']
      : ['Ctrl+Shift+T', 'Ctrl+Shift+N', 'Ctrl+Shift+W', 'Ctrl+Shift+Tab', 'Ctrl+Shift+Q'];
  return kept.includes(text);
}

export type KeyProblem =
  /** Several commands have the chord; `winner` runs. */
  | {
      readonly kind: 'conflict';
      readonly chord: string;
      readonly commands: readonly string[];
      readonly winner: string;
    }
  | { readonly kind: 'refused'; readonly command: string; readonly chord: string; readonly reason: string }
  | { readonly kind: 'unreadable'; readonly command: string; readonly chord: string }
  | { readonly kind: 'unknown-command'; readonly command: string };

export interface KeyMap {
  /** Chord text → command id. */
  readonly commandOf: ReadonlyMap<string, string>;
  /** Command id → the chord that runs it. A command that lost a conflict has none. */
  readonly chordOf: ReadonlyMap<string, Chord>;
  readonly problems: readonly KeyProblem[];
}

/**
 * `defaults` with the person's `overrides` (command → chord, or null for none). In a conflict a chord that a person
 * chose wins over a default; otherwise the command that comes first. Nothing is left out silently: see `problems`.
 */
export function buildKeyMap(
  defaults: ReadonlyMap<string, string | null>,
  overrides: Readonly<Record<string, string | null>>,
  platform: KeyPlatform,
): KeyMap {
  const problems: KeyProblem[] = [];
  const claims = new Map<string, { command: string; chord: Chord; chosen: boolean }[]>();
  for (const command of Object.keys(overrides)) {
    if (!defaults.has(command)) problems.push({ kind: 'unknown-command', command });
  }
  for (const [command, standard] of defaults) {
    const chosen = Object.hasOwn(overrides, command);
    const text = chosen ? (overrides[command] ?? null) : standard;
    if (text === null) continue;
    const chord = parseChord(text);
    if (chord === null) {
      problems.push({ kind: 'unreadable', command, chord: text });
      continue;
    }
    const reason = refusalOf(chord, platform);
    if (reason !== null) {
      problems.push({ kind: 'refused', command, chord: chordText(chord), reason });
      continue;
    }
    const key = chordText(chord);
    claims.set(key, [...(claims.get(key) ?? []), { command, chord, chosen }]);
  }
  const commandOf = new Map<string, string>();
  const chords = new Map<string, Chord>();
  for (const [chord, claimants] of claims) {
    const winner = claimants.find((claim) => claim.chosen) ?? claimants[0];
    if (winner === undefined) continue;
    commandOf.set(chord, winner.command);
    chords.set(winner.command, winner.chord);
    if (claimants.length > 1) {
      const commands = claimants.map((claim) => claim.command);
      problems.push({ kind: 'conflict', chord, commands, winner: winner.command });
    }
  }
  return { commandOf, chordOf: chords, problems };
}

/** The chord as its keys are labelled: ["Ctrl", "Shift", "P"], or ["⇧", "⌘", "P"] on macOS. */
export function chordKeys(chord: Chord, platform: KeyPlatform): string[] {
  const names =
    platform === 'mac'
      ? { Ctrl: '⌃', Alt: '⌥', Shift: '⇧', Meta: '⌘' }
      : { Ctrl: 'Ctrl', Alt: 'Alt', Shift: 'Shift', Meta: 'Meta' };
  const held = [chord.ctrl, chord.alt, chord.shift, chord.meta];
  return [
    ...MODIFIERS.filter((_, index) => held[index]).map((modifier) => names[modifier]),
    keyLabel(chord.key),
  ];
}

const ARROWS: Record<string, string> = { Left: '←', Right: '→', Up: '↑', Down: '↓' };

function keyLabel(key: string): string {
  return ARROWS[key] ?? key;
}

function normalKey(text: string): string | null {
  if (/^[a-z0-9]$/i.test(text)) return text.toUpperCase();
  if (/^f([1-9]|1\d|2[0-4])$/i.test(text)) return text.toUpperCase();
  return [...KNOWN_KEYS].find((known) => known.toLowerCase() === text.toLowerCase()) ?? null;
}

function modifierOf(name: string): 'ctrl' | 'alt' | 'shift' | 'meta' | null {
  switch (name) {
    case 'ctrl':
    case 'control':
      return 'ctrl';
    case 'alt':
    case 'option':
      return 'alt';
    case 'shift':
      return 'shift';
    case 'meta':
    case 'cmd':
      return 'meta';
    default:
      return null;
  }
}

/** Letters follow the layout where it is Latin; elsewhere, and for the rest, the place of the key counts. */
function pressedKey(press: KeyPress): string | null {
  if (/^[a-z]$/i.test(press.key)) return press.key.toUpperCase();
  const place = /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(press.code)?.[1];
  if (place !== undefined) return place;
  return (
    KEYS_BY_CODE[press.code] ?? NAMED_KEYS[press.key] ?? (/^F\d{1,2}$/.test(press.key) ? press.key : null)
  );
}

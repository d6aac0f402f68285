import { type Disposable, toDisposable } from '../../shared/disposable.ts';
import { REPEATED } from './catalogue.ts';
import { useKeys } from './current-keys.ts';
import { chordOf, chordText } from './key-map.ts';
import type { CommandRegistry } from './registry.ts';

/** Marks an element that wants the keys themselves, such as the field that records a new chord. */
export const CAPTURES_KEYS = 'data-captures-keys';

/**
 * `true` on a place around a terminal: copying and selecting all mean that terminal there, wherever the focus is in it.
 * `false` on a part of it that has text of its own.
 */
export const EDITS_TERMINAL = 'data-edits-terminal';

/**
 * Runs commands by their keys, before the terminal or any control sees them. A chord of a command that means nothing
 * now, or is run once by each press, is swallowed all the same: it must not reach the program as something else.
 */
export function dispatchKeys(commands: CommandRegistry): Disposable {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || isCapturing(event.target)) return;
    const chord = chordOf(event);
    const command = chord && useKeys.getState().map.commandOf.get(chordText(chord));
    if (!command || isLeftToBrowser(command, chordText(chord), event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat || REPEATED.has(command)) commands.run(command);
  };
  window.addEventListener('keydown', onKeyDown, { capture: true });
  return toDisposable(() => window.removeEventListener('keydown', onKeyDown, { capture: true }));
}

/** Chords by which browsers paste: then the text arrives without asking for the right to read the clipboard. */
const PASTE_CHORDS = ['Ctrl+Shift+V', 'Meta+V'];

/** Copying and pasting are the browser's everywhere but in a terminal. */
function isLeftToBrowser(command: string, chord: string, target: EventTarget | null): boolean {
  if (!command.startsWith('edit.')) return false;
  return !isTerminals(target) || (command === 'edit.paste' && PASTE_CHORDS.includes(chord));
}

function isTerminals(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('.terminal-host') !== null) return true;
  return (
    target.closest(`[${EDITS_TERMINAL}]`)?.getAttribute(EDITS_TERMINAL) === 'true' &&
    target.closest('input, textarea') === null
  );
}

function isCapturing(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`[${CAPTURES_KEYS}]`) !== null;
}

import type { Terminal } from '@xterm/xterm';
import { type Disposable, DisposableStore } from '../../shared/disposable.ts';
import type { InputOrigin } from '../../shared/terminal/input-origin.ts';
import { onUserInput } from './xterm-internals.ts';

/** What xterm itself sends; pastes never pass through it (paste-source.ts). */
export type TerminalInputOrigin = Extract<InputOrigin, 'typed' | 'reply'>;

/** A mouse report in SGR form. Keys cannot make one: xterm sends `CSI <` for nothing else. */
const SGR_MOUSE_REPORT = /^\x1b\[<\d+;-?\d+;-?\d+[Mm]$/;

/**
 * Whether a person typed what xterm hands over (ST-16). Keys, dead keys and compositions are typed (B34). Mouse reports
 * count as user input for xterm, yet they answer a program that asked for them: to us they are replies, as are DA, CPR,
 * focus, colour and mode reports.
 */
export function originOf(data: string, userInput: boolean): TerminalInputOrigin {
  return userInput && !SGR_MOUSE_REPORT.test(data) ? 'typed' : 'reply';
}

/** Calls `listener` with each piece of input that xterm produces, as bytes with their origin. */
export function watchInput(
  terminal: Terminal,
  listener: (origin: TerminalInputOrigin, bytes: Uint8Array) => void,
): Disposable {
  const encoder = new TextEncoder();
  let userInput = false;
  const watching = new DisposableStore();
  watching.add(
    onUserInput(terminal, () => {
      userInput = true;
    }),
  );
  watching.add(
    terminal.onData((data) => {
      const origin = originOf(data, userInput);
      userInput = false;
      if (data !== '') listener(origin, encoder.encode(data));
    }),
  );
  // Only mouse reports in the old encoding are binary: one byte for each character.
  watching.add(
    terminal.onBinary((data) =>
      listener(
        'reply',
        Uint8Array.from(data, (char) => char.charCodeAt(0)),
      ),
    ),
  );
  return watching;
}

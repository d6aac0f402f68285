import type { Terminal } from '@xterm/xterm';
import type { Disposable } from '../../../shared/disposable.ts';

/** DEC private modes by which a program asks for the mouse, and for focus reports. */
const MOUSE_MODES = new Set([9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016]);

/** In a replay the mouse selects text: no program is there to get it. */
export function refuseMouse(terminal: Pick<Terminal, 'parser'>): Disposable {
  return terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) =>
    params.every((mode) => typeof mode === 'number' && MOUSE_MODES.has(mode)),
  );
}

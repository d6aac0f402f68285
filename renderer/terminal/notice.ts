import type { Terminal } from '@xterm/xterm';
import { visibleParts } from '../../shared/terminal/visible-text.ts';
import { isBetweenSequences } from './xterm-internals.ts';

/**
 * What draws `lines` dimmed and on lines of their own, below the one with the cursor. Null when that would harm the
 * program's screen: on the alternate screen, or while a sequence of the program is unfinished.
 */
export function noticeText(terminal: Terminal, lines: readonly string[]): string | null {
  const { active } = terminal.buffer;
  if (active.type === 'alternate' || !isBetweenSequences(terminal)) return null;
  const before = active.cursorX === 0 ? '' : '\r\n';
  return `${before}\x1b[2m${lines.map(plain).join('\r\n')}\x1b[22m\r\n`;
}

function plain(line: string): string {
  const parts = visibleParts(line).map((part) => {
    if (part.kind === 'text') return part.text;
    return part.kind === 'code' ? `<${part.label}>` : ' ';
  });
  return parts.join('');
}

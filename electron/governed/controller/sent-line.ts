import { visibleParts } from '../../../shared/terminal/visible-text.ts';

/**
 * A command as whoever watches sees it, where a terminal would echo it: the worker's echo is off (E14). Bold, because it is
 * Airlock's and not the program's; what would not show is a code (B24).
 */
export function sentLine(command: string): Uint8Array {
  const shown = visibleParts(command)
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'code' ? `<${part.label}>` : ' '))
    .join('');
  return Buffer.from(`\x1b[1m${shown}\x1b[22m\r\n`);
}

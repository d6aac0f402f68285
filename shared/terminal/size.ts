import { z } from 'zod';
import { TERMINAL_SIZE } from './limits.ts';

const dimension = z.number().int().min(TERMINAL_SIZE.min).max(TERMINAL_SIZE.max);

/** A terminal's window size in character cells: non-zero unsigned 16-bit values (ST-5). */
export const terminalSizeSchema = z.object({ cols: dimension, rows: dimension });
export type TerminalSize = z.infer<typeof terminalSizeSchema>;

export function sameSize(a: TerminalSize, b: TerminalSize): boolean {
  return a.cols === b.cols && a.rows === b.rows;
}

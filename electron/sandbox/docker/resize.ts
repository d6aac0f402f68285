import { RELEASE } from '../../../shared/terminal/limits.ts';
import { type TerminalSize, terminalSizeSchema } from '../../../shared/terminal/size.ts';
import { settledWithin } from '../wait.ts';

/**
 * Asks a daemon for a new size of a terminal. Throws RangeError on an impossible one; that a program has ended meanwhile is no
 * failure (B04).
 */
export async function resizeWhileItRuns(
  size: TerminalSize,
  ended: Promise<unknown>,
  ask: () => Promise<void>,
): Promise<void> {
  if (!terminalSizeSchema.safeParse(size).success)
    throw new RangeError(`${size.cols}x${size.rows} is not a terminal size`);
  try {
    await ask();
  } catch (error) {
    // It may just have ended, and a daemon says that in many ways.
    if (!(await settledWithin(ended, RELEASE.hangupGraceMs))) throw error;
  }
}

import { RELEASE } from '../../../shared/terminal/limits.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import { terminalSizeSchema } from '../../../shared/terminal/size.ts';
import { settledWithin } from '../wait.ts';

/**
 * Milliseconds after a size at which it is sent again where the daemon may lose it. Podman's helper, conmon, takes the first of
 * the sizes that it reads at one time for all of them, so that the last of many can be lost on a busy machine (ST-9).
 */
export const SENT_AGAIN_MS = [250, 1_000, 4_000] as const;

interface ResizedTerminal {
  readonly ask: (size: TerminalSize) => Promise<void>;
  readonly ended: Promise<unknown>;
  readonly mayLoseSizes: boolean;
}

/** The sizes of one terminal of a daemon: asked for one after the other, the last of them until it surely holds. */
export class TerminalResizer {
  readonly #terminal: ResizedTerminal;
  #last: TerminalSize | null = null;
  #again: NodeJS.Timeout | undefined;

  constructor(terminal: ResizedTerminal) {
    this.#terminal = terminal;
    void terminal.ended.then(() => this.#take(null));
  }

  /** Throws RangeError on an impossible size; that a program has ended meanwhile is no failure (B04). */
  async resize(size: TerminalSize): Promise<void> {
    if (!terminalSizeSchema.safeParse(size).success)
      throw new RangeError(`${size.cols}x${size.rows} is not a terminal size`);
    this.#take(size);
    try {
      await this.#terminal.ask(size);
    } catch (error) {
      // It may just have ended, and a daemon says that in many ways.
      if (!(await settledWithin(this.#terminal.ended, RELEASE.hangupGraceMs))) throw error;
      return;
    }
    if (this.#terminal.mayLoseSizes) this.#askAgain(size, 0);
  }

  #take(size: TerminalSize | null): void {
    this.#last = size;
    clearTimeout(this.#again);
  }

  #askAgain(size: TerminalSize, round: number): void {
    const ms = SENT_AGAIN_MS[round];
    if (ms === undefined || this.#last !== size) return;
    this.#again = setTimeout(async () => {
      // A failed one is not the last.
      await this.#terminal.ask(size).catch(() => {});
      this.#askAgain(size, round + 1);
    }, ms);
    this.#again.unref();
  }
}

import { createRequire } from 'node:module';
import type { TerminalSize } from '../../../shared/terminal/size.ts';

/**
 * The two calls of node-pty's native part that Airlock uses. Its JavaScript layer is left out on purpose: it holds
 * the exit event back while reading is paused, reports a signal death as exit code 0, destroys the PTY 200 ms after
 * the exit whatever is still unread, and spins the event loop while a reader is slow (B12, B31). The version is
 * pinned exactly; `native.integration.test.ts` fails when a new one changes these calls.
 */
interface NativePty {
  open(columns: number, rows: number): { master: number; slave: number; pty: string };
  resize(fd: number, columns: number, rows: number): void;
}

let loaded: NativePty | undefined;

/** Loads on first use, so that platforms without a binary can still import the engine. Throws where there is none. */
function native(): NativePty {
  if (!loaded) {
    const require = createRequire(import.meta.url);
    const { requireBinary } = require('@lydell/node-pty/requireBinary.js') as {
      requireBinary(file: string): NativePty;
    };
    loaded = requireBinary('pty.node');
  }
  return loaded;
}

/**
 * A new PTY of `size`. Both descriptors are inherited by every child process of the host: node-pty sets no close-on-exec,
 * and nothing in Node can. What a sandbox could get into its hands is started so that it closes them
 * (`../inherited-descriptors.ts`); the host's own helpers, such as ssh, are trusted with them as with its memory.
 */
export function openPty(size: TerminalSize): { master: number; slave: number; slavePath: string } {
  const { master, slave, pty } = native().open(size.cols, size.rows);
  return { master, slave, slavePath: pty };
}

/** TIOCSWINSZ on the master. `size` must be valid already: node-pty truncates to 16 bits without an error (B04). */
export function resizePty(master: number, size: TerminalSize): void {
  native().resize(master, size.cols, size.rows);
}

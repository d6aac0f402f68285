import { open, rm } from 'node:fs/promises';
import type { ExportProgress } from '../../../shared/protocol/transcript-requests.ts';
import type { Result } from '../../../shared/result.ts';
import { exportInThread } from '../exchange/exchange-thread.ts';
import type { ExportPlan, MadeExport } from '../exchange/export/make-export.ts';

/** Milliseconds after which somebody wants to know how far it is, and between two times that it is said. */
const PATIENCE_MS = 1_000;
const SAY_EVERY_MS = 200;

/**
 * Exports into a new file of a person's. It is gone again when that fails, and when the person interrupts it. Rejects when
 * files cannot be read or written, with EEXIST when there is such a file: it stays as it is.
 */
export async function exportToFile(plan: ExportPlan): Promise<Result<MadeExport, string> | 'interrupted'> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  for (const signal of SIGNALS) process.once(signal, interrupt);
  const progress = new ProgressLine();
  try {
    // From here on the file is this export's own.
    await (await open(plan.path, 'wx', 0o600)).close();
    const made = await exportInThread(plan, interrupted.signal, (done) => progress.set(done));
    if (!made.ok) await rm(plan.path, { force: true });
    return made;
  } catch (error) {
    if (interrupted.signal.aborted) return 'interrupted';
    throw error;
  } finally {
    progress.end();
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How far an export is, on one line of a terminal that is gone at the end. Its timer keeps the process alive. */
class ProgressLine {
  readonly #since = performance.now();
  readonly #timer = setInterval(() => this.#say(), SAY_EVERY_MS);
  #done: ExportProgress = { share: 0, bytes: 0 };
  #said = false;

  set(done: ExportProgress): void {
    this.#done = done;
  }

  end(): void {
    clearInterval(this.#timer);
    if (this.#said) process.stderr.write('\r\x1b[K');
  }

  #say(): void {
    if (!process.stderr.isTTY || performance.now() - this.#since < PATIENCE_MS) return;
    this.#said = true;
    process.stderr.write(`\r\x1b[KExporting… ${progressInWords(this.#done)}`);
  }
}

function progressInWords({ share, bytes }: ExportProgress): string {
  const mib = (count: number) => (count / 1024 / 1024).toFixed(1);
  return `${Math.floor(share * 100)} % (${mib(share * bytes)} of ${mib(bytes)} MiB)`;
}

import type { Outcome, ReleaseReport } from '../../../shared/terminal/outcome.ts';
import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import type { SandboxTerminal } from '../../sandbox/engine.ts';
import { releaseTerminal } from '../../session/release-terminal.ts';
import type { LedgerFact, SessionLedger } from '../../session/session-ledger.ts';
import type { Worker } from '../ports.ts';

/** The sandboxed program of one governed session, and its record in the ledger (ST-24). */
export class SandboxWorker implements Worker {
  readonly posture: SandboxPosture;
  readonly filesComeLate?: true;
  readonly ended: Promise<Outcome>;
  readonly #session: string;
  readonly #terminal: SandboxTerminal;
  readonly #ledger: SessionLedger;
  #release: Promise<ReleaseReport> | null = null;

  constructor(session: string, terminal: SandboxTerminal, ledger: SessionLedger) {
    this.#session = session;
    this.#terminal = terminal;
    this.#ledger = ledger;
    this.posture = terminal.posture;
    if (terminal.filesComeLate) this.filesComeLate = true;
    this.ended = terminal.ended;
  }

  onOutput(listener: (bytes: Uint8Array) => void): void {
    this.#terminal.onOutput(listener);
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#terminal.write(bytes);
  }

  /** Resolves after the last output byte as well. */
  release(): Promise<ReleaseReport> {
    this.#release ??= this.#end();
    return this.#release;
  }

  async #end(): Promise<ReleaseReport> {
    const session = this.#session;
    this.#record({ event: 'releasing', session, cause: 'user' });
    const { report, outcome } = await releaseTerminal(this.#terminal);
    if (report.removed) this.#record({ event: 'clean', session, outcome });
    else this.#record({ event: 'needs-attention', session, reason: report.reason ?? 'It was not removed.' });
    return report;
  }

  /** A worker ends even when its end cannot be recorded; the next host then looks after it once more. */
  #record(fact: LedgerFact): void {
    try {
      this.#ledger.append(fact);
    } catch {
      // Starting the next worker fails with what the file system says.
    }
  }
}

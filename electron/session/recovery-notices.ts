import type { RecoveryNotice } from '../../shared/protocol/requests.ts';
import type { RecoveredSession, RecoverySummary } from './recover-sessions.ts';

/** What earlier hosts left that this one could not end or read, for a person: told until somebody has noted it (ST-25). */
export class RecoveryNotices {
  readonly #summary: Promise<RecoverySummary>;
  readonly #settle: (session: RecoveredSession) => void;
  readonly #noted = new Set<string>();

  /** `settle`: called when a person knows of a session of which no later host can learn more. */
  constructor(summary: Promise<RecoverySummary>, settle: (session: RecoveredSession) => void) {
    this.#summary = summary;
    this.#settle = settle;
  }

  /** Resolves when all of it is known. Never rejects. */
  async list(): Promise<RecoveryNotice[]> {
    const { needsAttention, problems } = await this.#summary;
    const sessions = needsAttention.map(({ session: id, detail }) => ({
      id,
      text: `Session ${id} of an earlier run needs attention: ${detail}`,
    }));
    const files = problems.map((problem, n) => ({
      id: `record-${n}`,
      text: `Record of an earlier run: ${problem}`,
    }));
    return [...sessions, ...files].filter(({ id }) => !this.#noted.has(id));
  }

  async note(id: string): Promise<void> {
    const { needsAttention } = await this.#summary;
    const session = needsAttention.find((each) => each.session === id);
    if (session?.untraceable && !this.#noted.has(id)) this.#settle(session);
    this.#noted.add(id);
  }
}

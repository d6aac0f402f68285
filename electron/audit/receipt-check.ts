import { join } from 'node:path';
import type { AuditBreak, AuditEntry } from '../../shared/governed/audit.ts';
import type { Receipt } from '../../shared/governed/receipt.ts';
import { type PublicationData, publicationRecords } from '../publication/publication-records.ts';
import { whyNotPublished } from '../publication/published-file.ts';

type Problem = Pick<AuditBreak, 'kind' | 'message'>;
type Intent = PublicationData<'publication.prepared'>;

/** Events after which an intent is no longer open. */
const SETTLED = new Set(['publication.finished', 'publication.failed', 'publication.recovered']);

/** Checks every receipt of the log against its intent and against the published file, in the log's order. */
export class ReceiptCheck {
  /** Receipts whose files are what they say. */
  count = 0;
  readonly #open = new Map<string, Intent>();

  async check({ event, data, sessionId }: AuditEntry): Promise<Problem | null> {
    const id = String(data['publication_id']);
    if (event === 'publication.prepared') {
      const intent = publicationRecords[event].safeParse(data);
      if (!intent.success) return { kind: 'receipt', message: 'The intent of a publication is incomplete.' };
      this.#open.set(id, intent.data);
      return null;
    }
    const intent = this.#open.get(id);
    if (SETTLED.has(event)) this.#open.delete(id);
    return event === 'publication.finished' ? this.#checkReceipt(data, intent, sessionId) : null;
  }

  async #checkReceipt(
    data: unknown,
    intent: Intent | undefined,
    sessionId: string | null,
  ): Promise<Problem | null> {
    const finished = publicationRecords['publication.finished'].safeParse(data);
    if (!finished.success) return { kind: 'receipt', message: 'A receipt is incomplete.' };
    const { receipt } = finished.data;
    if (intent === undefined || !matches(receipt, intent, sessionId))
      return { kind: 'receipt', message: `No recorded intent stands for the receipt ${receipt.id}.` };
    const difference = await whyNotPublished(receipt.destination, receipt);
    if (difference !== null)
      return {
        kind: 'file',
        message: `${receipt.destination} is not the file of receipt ${receipt.id}: ${difference}.`,
      };
    this.count += 1;
    return null;
  }

  notes(): string[] {
    return [...this.#open.values()].map(
      (intent) =>
        `The publication of ${join(intent.parent_path, intent.target_name)} was begun and its end is not recorded.`,
    );
  }
}

function matches(receipt: Receipt, intent: Intent, sessionId: string | null): boolean {
  return (
    receipt.id === intent.publication_id &&
    receipt.sessionId === sessionId &&
    receipt.path === intent.path &&
    receipt.bytes === intent.bytes &&
    receipt.sha256 === intent.sha256 &&
    receipt.approvalId === intent.approval_id &&
    receipt.destination === join(intent.parent_path, intent.target_name)
  );
}

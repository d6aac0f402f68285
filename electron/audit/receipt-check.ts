import { join } from 'node:path';
import type { AuditBreak, AuditEntry } from '../../shared/governed/audit.ts';
import type { Receipt } from '../../shared/governed/receipt.ts';
import { type PublicationData, publicationRecords } from '../publication/publication-records.ts';

type Problem = Pick<AuditBreak, 'kind' | 'message'>;
type Intent = PublicationData<'publication.prepared'>;

/** Events after which an intent is no longer open. */
const SETTLED = new Set(['publication.finished', 'publication.failed', 'publication.recovered']);

/** A receipt that holds in the log, and the line that signs it. */
export interface LoggedReceipt {
  readonly line: number;
  readonly receipt: Receipt;
}

/** Checks every receipt of the log against the intent before it, in the log's order. Does not look at files. */
export class ReceiptCheck {
  readonly receipts: LoggedReceipt[] = [];
  readonly #open = new Map<string, Intent>();

  check({ n, event, data, sessionId }: AuditEntry): Problem | null {
    const id = String(data['publication_id']);
    if (event === 'publication.prepared') {
      const intent = publicationRecords[event].safeParse(data);
      if (!intent.success) return { kind: 'receipt', message: 'The intent of a publication is incomplete.' };
      this.#open.set(id, intent.data);
      return null;
    }
    const intent = this.#open.get(id);
    if (SETTLED.has(event)) this.#open.delete(id);
    return event === 'publication.finished' ? this.#checkReceipt(n, data, intent, sessionId) : null;
  }

  #checkReceipt(
    line: number,
    data: unknown,
    intent: Intent | undefined,
    sessionId: string | null,
  ): Problem | null {
    const finished = publicationRecords['publication.finished'].safeParse(data);
    if (!finished.success) return { kind: 'receipt', message: 'A receipt is incomplete.' };
    const { receipt } = finished.data;
    if (intent === undefined || !matches(receipt, intent, sessionId))
      return { kind: 'receipt', message: `No recorded intent stands for the receipt ${receipt.id}.` };
    this.receipts.push({ line, receipt });
    return null;
  }

  notes(): string[] {
    return [...this.#open.values()].map(
      ({ parent_path, target_name }) =>
        `The publication of ${join(parent_path, target_name)} was begun and its end is not recorded.`,
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

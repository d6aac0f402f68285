import { join } from 'node:path';
import type { AuditBreak, AuditEntry } from '../../shared/governed/audit.ts';
import type { Receipt } from '../../shared/governed/receipt.ts';
import { type PublicationData, publicationRecords } from '../publication/publication-records.ts';
import { ApprovalCheck, type Basis, whyNotApproved } from './approval-check.ts';

type Problem = Pick<AuditBreak, 'kind' | 'message'>;
type Intent = PublicationData<'publication.prepared'>;

/** Events after which an intent is no longer open. */
const SETTLED = new Set(['publication.finished', 'publication.failed', 'publication.recovered']);

/** A receipt that holds in the log, and the line that signs it. */
export interface LoggedReceipt {
  readonly line: number;
  readonly receipt: Receipt;
}

interface OpenIntent {
  readonly intent: Intent;
  readonly basis: Basis;
}

/**
 * Checks every receipt of the log against the intent and the approval before it, in the log's order. Does not look at
 * files.
 */
export class ReceiptCheck {
  readonly receipts: LoggedReceipt[] = [];
  readonly #approvals = new ApprovalCheck();
  readonly #open = new Map<string, OpenIntent>();

  check(entry: AuditEntry): Problem | null {
    const { n, event, data, sessionId } = entry;
    this.#approvals.take(entry);
    const id = String(data['publication_id']);
    if (event === 'publication.prepared') {
      const intent = publicationRecords[event].safeParse(data);
      if (!intent.success) return { kind: 'receipt', message: 'The intent of a publication is incomplete.' };
      const basis = this.#approvals.use(intent.data.approval_id);
      this.#open.set(id, { intent: intent.data, basis });
      return null;
    }
    const open = this.#open.get(id);
    if (SETTLED.has(event)) this.#open.delete(id);
    return event === 'publication.finished' ? this.#checkReceipt(n, data, open, sessionId) : null;
  }

  #checkReceipt(
    line: number,
    data: unknown,
    open: OpenIntent | undefined,
    sessionId: string | null,
  ): Problem | null {
    const finished = publicationRecords['publication.finished'].safeParse(data);
    if (!finished.success) return { kind: 'receipt', message: 'A receipt is incomplete.' };
    const { receipt } = finished.data;
    if (open === undefined || !matches(receipt, open.intent, sessionId))
      return { kind: 'receipt', message: `No recorded intent stands for the receipt ${receipt.id}.` };
    const why = whyNotApproved(receipt, open.basis);
    if (why !== null)
      return {
        kind: 'receipt',
        message: `No recorded approval stands for the receipt ${receipt.id}. ${why}`,
      };
    this.receipts.push({ line, receipt });
    return null;
  }

  notes(): string[] {
    return [...this.#open.values()].map(
      ({ intent: { parent_path, target_name } }) =>
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

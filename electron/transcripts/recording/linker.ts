import type { Disposable } from '../../../shared/disposable.ts';
import type { ApprovalRecord } from '../../../shared/governed/approval.ts';
import type { Publication } from '../../../shared/governed/receipt.ts';
import { visibleLine } from '../../../shared/terminal/visible-text.ts';
import type { UntimedMoment } from '../../../shared/transcripts/moment.ts';
import type { ApprovalQueue } from '../../approvals/approval-queue.ts';
import type { PublicationStore } from '../../publication/publication-store.ts';

const LABEL_CHARS = 200;

/** Where moments go; what is not recorded is ignored. */
interface Marking {
  mark(sessionId: string, moment: UntimedMoment): void;
}

/** Requests and decisions, as moments of the sessions that they are about. */
export function markApprovals(queue: ApprovalQueue, marking: Marking): Disposable {
  /** Session of each request that waits. */
  const waiting = new Map<string, string>();
  return queue.onChange(() => {
    for (const { request } of queue.waiting()) {
      if (waiting.has(request.id)) continue;
      waiting.set(request.id, request.sessionId);
      marking.mark(request.sessionId, {
        kind: 'approval-requested',
        approvalId: request.id,
        label: `Approval requested: ${request.title}`,
      });
    }
    for (const [id, sessionId] of waiting) {
      if (queue.find(id) !== null) continue;
      waiting.delete(id);
      const record = queue.history().find(({ request }) => request.id === id);
      if (record !== undefined) marking.mark(sessionId, decided(record));
    }
  });
}

function decided({ request, outcome }: ApprovalRecord): UntimedMoment {
  const label = `${outcome.charAt(0).toUpperCase()}${outcome.slice(1)}: ${request.title}`;
  return { kind: 'approval-decided', approvalId: request.id, outcome, label };
}

/** Receipts and failures from now on, as moments of the sessions whose files they are. */
export function markPublications(store: PublicationStore, marking: Marking): Disposable {
  const known = new Set(store.list().map(nameOf));
  return store.onChange(() => {
    for (const publication of store.list()) {
      const name = nameOf(publication);
      if (known.has(name)) continue;
      known.add(name);
      const { sessionId } = publication.state === 'published' ? publication.receipt : publication;
      marking.mark(sessionId, published(publication));
    }
  });
}

/** A publication can fail, and fail again, before it is published. */
function nameOf(publication: Publication): string {
  return publication.state === 'published' ? publication.receipt.id : `${publication.id} ${publication.at}`;
}

function published(publication: Publication): UntimedMoment {
  if (publication.state === 'published') {
    const { id, path } = publication.receipt;
    const label = `Published: ${visibleLine(path, LABEL_CHARS)}`;
    return { kind: 'publication', publicationId: id, receiptId: id, path, label };
  }
  const { id, path } = publication;
  const label = `Not published: ${visibleLine(path, LABEL_CHARS)}`;
  return { kind: 'publication', publicationId: id, receiptId: null, path, label };
}

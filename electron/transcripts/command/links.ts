import type { Receipt } from '../../../shared/governed/receipt.ts';
import type { Moment } from '../../../shared/transcripts/moment.ts';

type MomentOf<Kind extends Moment['kind']> = Extract<Moment, { kind: Kind }>;

/** A request and what followed from it. Times are of the transcript; null where there is no such thing. */
export interface ApprovalLink {
  readonly approvalId: string;
  readonly requestedAtMs: number | null;
  readonly decision: {
    readonly atMs: number;
    readonly outcome: MomentOf<'approval-decided'>['outcome'];
  } | null;
  /** How the command ended that it was about. */
  readonly outcome: { readonly atMs: number; readonly command: string; readonly status: string } | null;
  readonly publications: readonly {
    readonly atMs: number;
    readonly publicationId: string;
    readonly path: string;
    readonly receiptId: string | null;
  }[];
  /** Of the audit log, checked there. */
  readonly receiptIds: readonly string[];
}

/** In the order of the first moment of each. What follows a decision up to the next request belongs to it. */
export function approvalLinks(moments: readonly Moment[], receipts: readonly Receipt[]): ApprovalLink[] {
  const ids = new Set(moments.flatMap((moment) => ('approvalId' in moment ? [moment.approvalId] : [])));
  return [...ids].map((approvalId) => {
    const requested = moments.find((one) => isOf(one, 'approval-requested') && one.approvalId === approvalId);
    const decided = moments.find(
      (one): one is MomentOf<'approval-decided'> =>
        isOf(one, 'approval-decided') && one.approvalId === approvalId,
    );
    const after = decided === undefined ? [] : followingOf(decided, moments);
    const ended = after.find((one): one is MomentOf<'command-end'> => isOf(one, 'command-end'));
    return {
      approvalId,
      requestedAtMs: requested?.atMs ?? null,
      decision: decided === undefined ? null : { atMs: decided.atMs, outcome: decided.outcome },
      outcome:
        ended === undefined ? null : { atMs: ended.atMs, command: ended.command, status: ended.status },
      publications: after
        .filter((one): one is MomentOf<'publication'> => isOf(one, 'publication'))
        .map(({ atMs, publicationId, path, receiptId }) => ({ atMs, publicationId, path, receiptId })),
      receiptIds: receipts.filter((receipt) => receipt.approvalId === approvalId).map(({ id }) => id),
    };
  });
}

function isOf<Kind extends Moment['kind']>(moment: Moment, kind: Kind): moment is MomentOf<Kind> {
  return moment.kind === kind;
}

function followingOf(decided: MomentOf<'approval-decided'>, moments: readonly Moment[]): readonly Moment[] {
  if (decided.outcome !== 'approved') return [];
  const rest = moments.slice(moments.indexOf(decided) + 1);
  const next = rest.findIndex(({ kind }) => kind === 'approval-requested');
  return next === -1 ? rest : rest.slice(0, next);
}

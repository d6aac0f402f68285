import { create } from 'zustand';
import type { ApprovalRecord } from '../../shared/governed/approval.ts';
import type { ApprovalQueueView } from '../../shared/protocol/governed-requests.ts';

/** A request that waits. `endsAt`: when it expires, on the page's own clock (`performance.now()`). */
export type PendingApproval = ApprovalQueueView['pending'][number] & { readonly endsAt: number };

export interface ApprovalsState {
  /** Null until the host has said what waits, and again when the connection is lost: what was is no news of what is. */
  readonly pending: readonly PendingApproval[] | null;
  /** Newest first. */
  readonly recent: readonly ApprovalRecord[];
  /** The request that is shown in full. */
  readonly shown: string | null;
  /**
   * Who opened the dock. What a decision opened is `closing` when nothing waits any more: for a moment it still shows what
   * became of the last one.
   */
  readonly dock: 'closed' | 'by-decision' | 'by-person' | 'closing';
  /** Why the queue is not known, in words. */
  readonly error: string | null;
  /** Headless: where the approval page is; null on a desktop and until the host has said so. */
  readonly address: string | null;
}

export const NO_APPROVALS: ApprovalsState = {
  pending: null,
  recent: [],
  shown: null,
  dock: 'closed',
  error: null,
  address: null,
};

export const useApprovals = create<ApprovalsState>(() => NO_APPROVALS);

/**
 * What a new answer makes of the state: a new request opens the dock. None takes the place of the one that an open dock shows: the
 * approval page says what became of that, and what comes next there.
 */
export function queueReceived(state: ApprovalsState, view: ApprovalQueueView, now: number): ApprovalsState {
  const hostNow = Date.parse(view.now);
  const pending = view.pending
    .map((request) => ({ ...request, endsAt: now + Date.parse(request.expiresAt) - hostNow }))
    .toSorted((a, b) => a.endsAt - b.endsAt);
  const stillShown = pending.some(({ id }) => id === state.shown);
  const dock = nextDock(state.dock, arrived(state, pending).length > 0, pending.length > 0);
  const kept = stillShown || state.dock !== 'closed' ? state.shown : null;
  return {
    ...state,
    pending,
    recent: view.recent.toSorted((a, b) => Date.parse(b.decidedAt) - Date.parse(a.decidedAt)),
    shown: kept ?? pending[0]?.id ?? null,
    dock,
    error: null,
  };
}

function nextDock(
  dock: ApprovalsState['dock'],
  somethingNew: boolean,
  waits: boolean,
): ApprovalsState['dock'] {
  if (somethingNew) return dock === 'by-person' ? dock : 'by-decision';
  return dock === 'by-decision' && !waits ? 'closing' : dock;
}

/** A person opens the dock, for all that waits or for the request `shown`. */
export function dockOpened(state: ApprovalsState, shown: string | undefined): ApprovalsState {
  const forOne = shown !== undefined && state.dock !== 'by-person';
  return { ...state, dock: forOne ? 'by-decision' : 'by-person', shown: shown ?? state.shown };
}

/** The requests that were not there before. */
export function arrived(before: ApprovalsState, pending: readonly PendingApproval[]): PendingApproval[] {
  const known = new Set(before.pending?.map(({ id }) => id));
  return pending.filter(({ id }) => !known.has(id));
}

/** The connection is lost: nothing of the old queue is shown as if it were so; the history stays history. */
export function connectionLost(state: ApprovalsState): ApprovalsState {
  return { ...NO_APPROVALS, recent: state.recent };
}

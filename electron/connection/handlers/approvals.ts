import { taggedError } from '../../../shared/protocol/errors.ts';
import { fail, ok } from '../../../shared/result.ts';
import type { Handlers } from '../router.ts';
import type { HostServices } from '../services.ts';

type ApprovalHandlers = Pick<
  Handlers,
  'approvals.queue' | 'approvals.place' | 'approvals.focus' | 'approvals.address'
>;

/** What the main page may know of approvals and where they are shown. None of these decides anything (DESIGN 6). */
export function approvalHandlers({
  approvals,
  platform,
}: Pick<HostServices, 'approvals' | 'platform'>): ApprovalHandlers {
  return {
    'approvals.queue': () => ok({ ...approvals.view(), now: new Date().toISOString() }),

    'approvals.place'({ place, show }, { approvalPlace }) {
      if (approvalPlace === null) return fail(NO_VIEW);
      approvalPlace.place(place, show);
      return ok({});
    },

    'approvals.focus'(_params, { approvalPlace }) {
      if (approvalPlace === null) return fail(NO_VIEW);
      approvalPlace.focus();
      return ok({});
    },

    'approvals.address': () => ok({ address: platform.approvalAddress?.() ?? null }),
  };
}

const NO_VIEW = taggedError('not-available-here', 'On this host the approval page is a frame of the page.');

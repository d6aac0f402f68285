import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import type { Outcome, ReleaseCause, ReleaseReport } from '../../shared/terminal/outcome.ts';
import type { Route, SessionState } from '../../shared/terminal/session-state.ts';

/** What happens to a session, as past facts. */
export type SessionEvent =
  | { readonly kind: 'committed' }
  | { readonly kind: 'diverted'; readonly route: Exclude<Route, 'sandbox'> }
  | { readonly kind: 'returned' }
  | { readonly kind: 'suspended' }
  | { readonly kind: 'resumed' }
  | { readonly kind: 'release-begun'; readonly cause: ReleaseCause }
  | { readonly kind: 'released'; readonly outcome: Outcome; readonly report: ReleaseReport };

/** The state after `event`, or null where it does not apply: nothing has changed then. */
export function transition(state: SessionState, event: SessionEvent): SessionState | null {
  switch (state.kind) {
    case 'opening':
      if (event.kind === 'committed') return { kind: 'running', route: 'sandbox', suspended: false };
      return event.kind === 'release-begun' ? { kind: 'releasing', cause: event.cause } : null;
    case 'running':
      return whileRunning(state, event);
    case 'releasing':
      return event.kind === 'released' ? closedBy(state.cause, event.outcome, event.report) : null;
    case 'ended':
    case 'needs-attention':
      return null;
  }
}

type Running = Extract<SessionState, { kind: 'running' }>;

function whileRunning(state: Running, event: SessionEvent): SessionState | null {
  switch (event.kind) {
    case 'diverted':
      return state.route === 'sandbox' ? { ...state, route: event.route } : null;
    case 'returned':
      return state.route === 'sandbox' ? null : { ...state, route: 'sandbox' };
    case 'suspended':
      return state.suspended ? null : { ...state, suspended: true };
    case 'resumed':
      return state.suspended ? { ...state, suspended: false } : null;
    case 'release-begun':
      return { kind: 'releasing', cause: event.cause };
    case 'committed':
    case 'released':
      return null;
  }
}

/** Removal that was not confirmed is never shown as an end (ST-25). */
function closedBy(cause: ReleaseCause, outcome: Outcome, release: ReleaseReport): SessionState {
  return { kind: release.removed ? 'ended' : 'needs-attention', cause, outcome, release };
}

/** The one place that decides whether output is read (ST-13, ST-18, DESIGN 3). */
export function mayRead(state: SessionState, creditExhausted: boolean): boolean {
  if (creditExhausted) return false;
  if (state.kind === 'running') return state.route === 'sandbox' && !state.suspended;
  return state.kind === 'releasing';
}

/** Why a resize, BREAK, suspend or end is refused now (ST-7), or null. */
export function refusalOfControl(state: SessionState): TaggedError | null {
  if (state.kind === 'running') return null;
  if (state.kind === 'releasing') return taggedError('session-releasing', 'The session is ending.');
  return taggedError(
    'session-not-running',
    state.kind === 'opening' ? 'The session is still opening.' : 'The session has ended.',
  );
}

/** Why input is refused now (ST-7, ST-13, ST-19), or null. */
export function refusalOfInput(state: SessionState): TaggedError | null {
  if (state.kind !== 'running') return refusalOfControl(state);
  if (state.suspended) return taggedError('session-suspended', 'The session is suspended; resume it first.');
  if (state.route === 'sandbox') return null;
  return taggedError('route-refuses-input', `The keyboard belongs to a ${state.route} now.`, {
    route: state.route,
  });
}

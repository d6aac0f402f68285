import type { LocalNotice } from '../../../shared/protocol/events.ts';
import type { Route, SessionState } from '../../../shared/terminal/session-state.ts';
import type { UntimedMoment } from '../../../shared/transcripts/moment.ts';

const ROUTE_WORDS: Record<Route, string> = {
  sandbox: 'Back in the sandbox',
  prompt: 'Held for a decision',
  'host-process': 'Held by a program of this machine',
};

/** What changed of a running session, as moments: where its traffic goes, whether it is suspended. */
export function momentsOfState(before: SessionState, after: SessionState): UntimedMoment[] {
  if (before.kind !== 'running' || after.kind !== 'running') return [];
  const moments: UntimedMoment[] = [];
  if (before.route !== after.route)
    moments.push({ kind: 'route', route: after.route, label: ROUTE_WORDS[after.route] });
  if (before.suspended !== after.suspended)
    moments.push(
      after.suspended ? { kind: 'suspended', label: 'Suspended' } : { kind: 'resumed', label: 'Resumed' },
    );
  return moments;
}

/** Null for what the recording says by itself, or is no part of the session. */
export function momentOfNotice(notice: LocalNotice): UntimedMoment | null {
  switch (notice.kind) {
    case 'escape-help':
      return { kind: 'notice', label: 'Escape sequences listed', text: 'The escape sequences were listed.' };
    case 'break':
      return { kind: 'notice', label: `BREAK: ${notice.text}`.slice(0, 300), text: notice.text };
    case 'input-refused':
    case 'recording-stopped':
      return null;
  }
}

import type { LocalNotice } from '../../shared/protocol/events.ts';
import type { SessionState } from '../../shared/terminal/session-state.ts';

/** Who a session belongs to: one authenticated client. Another principal's sessions do not exist for it (ST-28). */
export type Principal = string;

/**
 * Where a session tells its client what happened, in order. Nothing is called before the promise of
 * `SessionRegistry.open` has resolved and the code that awaited it has run, and nothing after the final state.
 * None of the three may throw or call the session.
 */
export interface SessionSink {
  /** Output of the sandbox, in order. The bytes are valid during the call only, and are not the sink's to change. */
  output(bytes: Uint8Array): void;
  state(state: SessionState): void;
  /** Something for the host's side of the pane to draw; never part of the output. */
  notice(notice: LocalNotice): void;
}

import type { Disposable } from '../../shared/disposable.ts';
import type { LocalNotice } from '../../shared/protocol/events.ts';
import type { Profile } from '../../shared/settings/schema.ts';
import type { SandboxPosture } from '../../shared/terminal/posture.ts';
import type { SessionState } from '../../shared/terminal/session-state.ts';
import type { TerminalSize } from '../../shared/terminal/size.ts';
import type { UntimedMoment } from '../../shared/transcripts/moment.ts';

/** What a recording says about its session. */
export interface RecordedFacts {
  /** Of the session, and of its transcript. */
  readonly id: string;
  readonly kind: 'shell' | 'governed';
  readonly title: string;
  readonly profile: Profile;
  readonly posture: SandboxPosture;
  readonly size: TerminalSize;
}

/** A moment of a transcript. */
export interface TranscriptPlace {
  readonly id: string;
  readonly atMs: number;
}

/**
 * The transcript of one session as it is recorded. What happens is told in order and recorded with the time of the call;
 * nothing here throws, waits or calls back before it returns, and after the session's last state it does nothing.
 */
export interface SessionRecording {
  /** Why it goes no further although the session does; null while it goes on. */
  readonly stopped: string | null;
  /** Now; null when it goes no further. */
  readonly place: TranscriptPlace | null;
  /** The bytes may change afterwards. */
  output(bytes: Uint8Array): void;
  /** What a person typed or pasted and the sandbox gets. The bytes may change afterwards. */
  input(bytes: Uint8Array): void;
  /** This size is in force. */
  resized(size: TerminalSize): void;
  state(state: SessionState): void;
  notice(notice: LocalNotice): void;
  mark(moment: UntimedMoment): void;
  /** Tells once, at once when it has stopped already. Not told of a session's end. */
  onStopped(listener: (why: string) => void): Disposable;
  /** Resolves when everything told so far is in its file: null, or else why it is not. Never rejects. */
  written(): Promise<string | null>;
}

export interface SessionRecordings {
  /** Begins at once; what keeps it from being written is told by `onStopped`. Never throws. */
  start(facts: RecordedFacts): SessionRecording;
}

import type { UntimedMoment } from '../../../shared/transcripts/moment.ts';
import type { SessionRecording, SessionRecordings } from '../recording.ts';

/** Keeps the moments that it is told, of all sessions, and can be told to fail. */
export class MemoryRecordings implements SessionRecordings {
  readonly moments: UntimedMoment[] = [];
  /** Why nothing is written. */
  failure: string | null = null;

  start(): SessionRecording {
    const fails = () => this.failure;
    return {
      get stopped() {
        return fails();
      },
      place: null,
      output() {},
      input() {},
      resized() {},
      state() {},
      notice() {},
      mark: (moment) => this.moments.push(moment),
      onStopped: () => ({ dispose() {} }),
      written: async () => fails(),
    };
  }
}

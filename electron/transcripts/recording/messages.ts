import type { TerminalSize } from '../../../shared/terminal/size.ts';
import type { UntimedMoment } from '../../../shared/transcripts/moment.ts';
import type { Ending } from '../cast/events.ts';
import type { CastHeader } from '../cast/header.ts';

/** One thing that happened. Times are microseconds since the start of the recording. */
export type RecordedEvent = { readonly atUs: number } & (
  | { readonly kind: 'output' | 'input'; readonly length: number }
  | { readonly kind: 'resize'; readonly size: TerminalSize }
  | { readonly kind: 'moment'; readonly moment: UntimedMoment }
  | { readonly kind: 'stop'; readonly why: string }
  | { readonly kind: 'end'; readonly ending: Ending }
);

export interface RecordingPlan {
  /** Made for this recording; there already where it goes on. */
  readonly folder: string;
  /** Of the first segment. */
  readonly header: CastHeader;
  /** On disk, all segments. */
  readonly maxBytes: number;
  /** Goes on behind what a thread that died has left of it. */
  readonly goesOn?: boolean;
}

/** What the host tells the worker. Every message is answered once, in order. */
export type ToRecorder = { readonly id: string } & (
  | { readonly kind: 'start'; readonly plan: RecordingPlan }
  /** `bytes`: of the outputs and inputs among the events, one behind the other. */
  | { readonly kind: 'batch'; readonly events: readonly RecordedEvent[]; readonly bytes: Uint8Array }
);

/** How things are behind one message. */
export interface FromRecorder {
  readonly id: string;
  /** Bytes on disk, all segments; ends with a line. */
  readonly written: number;
  readonly stopped: string | null;
  /** Nothing follows. */
  readonly ended: boolean;
}

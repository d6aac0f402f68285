import { z } from 'zod';
import { outcomeSchema, releaseCauseSchema } from '../../../shared/terminal/outcome.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import type { Moment } from '../../../shared/transcripts/moment.ts';
import type { CastHeader } from './header.ts';

/** How the session ended; the last thing in a finished recording. */
export const endingSchema = z.object({
  kind: z.literal('ended'),
  cause: releaseCauseSchema,
  outcome: outcomeSchema,
  /** False: removal of the sandbox could not be confirmed (ST-25). */
  removed: z.boolean(),
});
export type Ending = z.infer<typeof endingSchema>;

export type CastFact =
  /** `bytes` null: exactly the UTF-8 of `text`. */
  | { readonly kind: 'output'; readonly text: string; readonly bytes: Uint8Array | null }
  | { readonly kind: 'input'; readonly text: string; readonly bytes: Uint8Array | null }
  | { readonly kind: 'resize'; readonly size: TerminalSize }
  | { readonly kind: 'moment'; readonly moment: Moment }
  /** Foreign files; in Airlock's the end follows it. */
  | { readonly kind: 'exit'; readonly status: string }
  | { readonly kind: 'ended'; readonly ending: Ending }
  /** The first line of a segment. */
  | { readonly kind: 'header'; readonly header: CastHeader };

/**
 * One event of a recording. Places are byte offsets into the segments laid end to end: of its first line, and behind its
 * last. Times never fall.
 */
export type CastEvent = CastFact & {
  readonly offset: number;
  readonly end: number;
  /** Microseconds since the start of the recording, whole. */
  readonly atUs: number;
  readonly atMs: number;
};

import type { z } from 'zod';
import type { TaggedError } from '../../shared/protocol/errors.ts';
import type { transcriptRequests } from '../../shared/protocol/transcript-requests.ts';
import type { Result } from '../../shared/result.ts';

type Requests = typeof transcriptRequests;
export type TranscriptVerb = keyof Requests;
export type TranscriptParams<V extends TranscriptVerb> = z.output<Requests[V]['params']>;
export type TranscriptResult<V extends TranscriptVerb> = z.output<Requests[V]['result']>;

/** What the views of transcripts ask of a host; `Client` is one, and tests have one in memory. Never rejects. */
export interface TranscriptsApi {
  request<V extends TranscriptVerb>(
    verb: V,
    params: TranscriptParams<V>,
  ): Promise<Result<TranscriptResult<V>, TaggedError>>;
}

import type { CommandReply } from '../../../shared/governed/call.ts';
import type { Receipt } from '../../../shared/governed/receipt.ts';

/** What was seen when a command's prompt came. */
export interface Observed {
  /** Everything since the write, without escape sequences (E28). */
  readonly output: string;
  readonly prompt: string;
  readonly durationMs: number;
  /** E35: with this command. */
  readonly interactionCount: number;
}

export interface ReplyFacts {
  readonly sessionId: string;
  /** Unix milliseconds. */
  readonly wall: number;
  readonly finalized: boolean;
  readonly closed: boolean;
  /** The session owes a file. */
  readonly grantsOutput: boolean;
  readonly receipt: Receipt | null;
}

/** The reply of section 2.8. */
export function replyOf(observed: Observed, facts: ReplyFacts): CommandReply {
  const { receipt } = facts;
  return {
    status: 'success',
    execution_status: facts.finalized ? 'session_finalized' : 'prompt_observed',
    session_id: facts.sessionId,
    session_closed: facts.closed,
    created_files:
      receipt === null ? [] : [{ path: receipt.path, bytes: receipt.bytes, sha256: receipt.sha256 }],
    file_publication: publicationState(facts),
    duration_ms: Math.round(observed.durationMs),
    timestamp: new Date(facts.wall).toISOString(),
    exit_code: null,
    stderr: '',
    results: {
      output: observed.output,
      prompt: observed.prompt,
      // E49: by the prompt alone; a failing statement at an unchanged prompt is `ready`.
      session_state: observed.prompt.toLowerCase().includes('error') ? 'error' : 'ready',
      interaction_count: observed.interactionCount,
    },
  };
}

function publicationState({ receipt, grantsOutput }: ReplyFacts): CommandReply['file_publication'] {
  if (receipt !== null) return 'published';
  return grantsOutput ? 'pending' : 'none';
}

import type { GovernedFailure } from '../../../shared/governed/call.ts';
import { PROMPT_SETTLE_MS } from '../../../shared/governed/limits.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Matcher } from './call.ts';
import type { Clock } from './clock.ts';
import { type FailureName, failure } from './failures.ts';
import type { Inbox } from './inbox.ts';
import type { WorkerOutput } from './worker-output.ts';

export interface PromptWait {
  readonly clock: Clock;
  readonly inbox: Inbox;
  readonly output: WorkerOutput;
  readonly matcher: Matcher;
  /** Bytes that may come before the prompt (E30). */
  readonly maxBytes: number;
  /** Readings of the clock: the phase's deadline, and that of the response. */
  readonly deadline: number;
  readonly late?: number | undefined;
  /** What it means here that the run stopped, the caller left, the deadline passed. */
  readonly failures: Readonly<Record<'stop' | 'caller-gone' | 'deadline', FailureName>>;
}

export interface Prompt {
  readonly line: string;
  /** Reading of the clock when its last byte was taken. */
  readonly at: number;
}

/**
 * Waits for the prompt (E26). Beyond E26, a line that matches must stand still for PROMPT_SETTLE_MS: a read ends where the
 * kernel cut the output, and what only looked like the prompt for lack of its rest is none (B19). A program that ends within
 * that time had not come to its prompt (E34).
 */
export async function awaitPrompt(wait: PromptWait): Promise<Result<Prompt, GovernedFailure>> {
  const { clock, inbox, output, matcher, deadline, late, failures } = wait;
  let prompt: Prompt | null = null;
  for (;;) {
    // A prompt that was seen in time is in time, though it has to settle.
    const times = prompt === null ? { deadline, late } : { deadline, settled: prompt.at + PROMPT_SETTLE_MS };
    const fact = await inbox.next('answering', times);
    switch (fact) {
      case 'stop':
      case 'caller-gone':
      case 'deadline':
        return fail(failure(failures[fact]));
      case 'late':
        return fail(failure('responseTimedOut'));
      case 'ended':
        return fail(endOf(inbox));
      case 'settled':
        if (prompt !== null) return ok(prompt);
        break;
      case 'output': {
        const problem = takeAll(wait);
        if (problem !== null) return fail(problem);
        const line = output.prompt(matcher);
        prompt = line === null ? null : { line, at: clock.now() };
      }
    }
  }
}

function takeAll({ inbox, output, maxBytes }: PromptWait): GovernedFailure | null {
  for (let chunk = inbox.takeOutput(); chunk !== null; chunk = inbox.takeOutput()) {
    const problem = output.take(chunk, maxBytes);
    if (problem !== null) return problem;
  }
  return null;
}

function endOf({ end }: Inbox): GovernedFailure {
  return end?.readError ? failure('readFailed', end.readError) : failure('closedBeforePrompt');
}

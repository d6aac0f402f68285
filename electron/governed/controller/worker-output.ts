import type { GovernedFailure } from '../../../shared/governed/call.ts';
import { LIFETIME_OUTPUT_MAX_BYTES } from '../../../shared/governed/limits.ts';
import type { Matcher } from './call.ts';
import { failure } from './failures.ts';
import { OutputText } from './text/output-text.ts';

/** A worker's output as it is taken, with both bounds on it (E30, E31). */
export class WorkerOutput {
  readonly #text = new OutputText();
  #lifetimeBytes = 0;
  #waitBytes = 0;

  /** A wait begins: its text and its bytes start anew. Gives what came before it. */
  begin(): string {
    this.#waitBytes = 0;
    return this.#text.take();
  }

  /** What a wait read. Above a bound nothing of it is taken. */
  take(chunk: Uint8Array, waitMaxBytes: number): GovernedFailure | null {
    const problem = this.#count(chunk);
    if (problem !== null) return problem;
    this.#waitBytes += chunk.length;
    if (this.#waitBytes > waitMaxBytes) return failure('interactionOutputExceeded');
    this.#text.push(chunk);
    return null;
  }

  /** What came between commands, as text for the transcript (E32). */
  takeIdle(chunk: Uint8Array): { readonly text: string } | { readonly failure: GovernedFailure } {
    const problem = this.#count(chunk);
    if (problem !== null) return { failure: problem };
    this.#text.push(chunk);
    return { text: this.#text.take() };
  }

  /** The prompt, trimmed, if the last line is one now (E26). */
  prompt(matcher: Matcher): string | null {
    return this.#text.promptCandidates.find((line) => matcher.readyMatches(line)) ?? null;
  }

  #count(chunk: Uint8Array): GovernedFailure | null {
    this.#lifetimeBytes += chunk.length;
    return this.#lifetimeBytes > LIFETIME_OUTPUT_MAX_BYTES ? failure('lifetimeOutputExceeded') : null;
  }
}

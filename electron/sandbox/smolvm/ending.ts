import { z } from 'zod';
import type { Outcome } from '../../../shared/terminal/outcome.ts';

/** Why an outcome is not known: the reason tags of the client rules (rule 9). */
export type UncertainTag =
  | 'terminal'
  | 'terminal_close'
  | 'terminal_session'
  | 'terminal_idle'
  | 'terminal_consumer'
  | 'output_limit'
  | 'protocol';

/** How a terminal's connection ended. `why` is a sentence. */
export type Ending =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'uncertain'; readonly tag: UncertainTag; readonly why: string };

export function uncertain(tag: UncertainTag, why: string): Ending {
  return { kind: 'uncertain', tag, why };
}

const exitSchema = z.strictObject({ type: z.literal('exit'), code: z.number().int() });

/** Codes that the server gives for endings of its own too (section 4.1). */
const AMBIGUOUS: Readonly<Record<number, string>> = {
  [-1]: 'which says that the program was not started, or that the machine was lost',
  124: 'which says that it was killed after a time-out or a lost connection, and can be the program’s own',
  130: 'which says that the client went away, and is also how a shell ends after Ctrl-C',
};

/** What a text message says (rule 5): a program's end, or what breaks the protocol. */
export function parseExit(message: string): Ending {
  const exit = exitSchema.safeParse(parseJson(message));
  if (!exit.success) return uncertain('protocol', 'smolvm sent a message that is not known.');
  const { code } = exit.data;
  const ambiguous = AMBIGUOUS[code];
  if (ambiguous !== undefined)
    return uncertain('terminal', `smolvm reported the code ${code}, ${ambiguous}.`);
  if (code >= 0 && code <= 255) return { kind: 'exited', code };
  return uncertain('terminal', `smolvm reported the code ${code}, which no program ends with.`);
}

/** Why it is not certain, with the tag that says it to programs. */
export function whyUncertain({ why, tag }: Extract<Ending, { kind: 'uncertain' }>): string {
  return `${why} (${tag})`;
}

/** ST-22: what is not certain is never shown as success, nor as failure. */
export function outcomeOf(ending: Ending, machine: string): Outcome {
  if (ending.kind === 'exited') return ending;
  return {
    kind: 'unknown',
    reason: `${whyUncertain(ending)} Whether the program ended, and how, is not known: look at the machine "${machine}", then mark its session as resolved.`,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

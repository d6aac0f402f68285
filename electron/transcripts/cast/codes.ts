import type { Ending } from './events.ts';

/** Codes of events that only Airlock knows; other tools skip them. Each is one line behind what it belongs to. */
export const OWN = {
  /** The exact bytes of the `o` or `i` before it, base64: where they are not UTF-8. */
  bytes: 'b',
  /** The moment of the marker before it, or the end of the session, as JSON. */
  about: 'a',
  /** Microseconds since the start of the recording. */
  clock: 't',
} as const;

/** Null where none is known. A program that a signal ended has the status that shells give it. */
export function exitStatusOf({ outcome }: Ending): string | null {
  if (outcome.kind === 'exited') return String(outcome.code);
  return outcome.kind === 'signalled' ? String(128 + outcome.signal) : null;
}

import { APPROVAL } from '../../shared/governed/limits.ts';

const MAX_SECONDS = APPROVAL.waitMaxMs / 1_000;

export const APPROVAL_TIMEOUT_BOUND = `It must be a whole number of seconds from 1 to ${MAX_SECONDS}.`;

/** A5: milliseconds that a person has, from seconds as they are typed; null where that is none, or out of bounds. */
export function parseApprovalTimeout(text: string): number | null {
  const seconds = Number(text);
  return /^\d{1,4}$/.test(text) && seconds >= 1 && seconds <= MAX_SECONDS ? seconds * 1_000 : null;
}

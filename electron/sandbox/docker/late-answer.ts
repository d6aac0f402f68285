import { settledWithin } from '../wait.ts';
import { DaemonError } from './daemon-error.ts';

/** Milliseconds that an answer is listened for which is not waited for any more. */
export const LATE_ANSWER_MS = 120_000;

interface InTime<T> {
  /** Milliseconds. */
  readonly limitMs: number;
  /** In words that follow "did not …". */
  readonly what: string;
  readonly address: string;
  /** Takes back what was done after all. */
  readonly undo: (answer: T) => Promise<unknown>;
}

/**
 * For what a daemon goes on doing when nobody listens any more: it is waited for, and no signal breaks it off, or what it makes
 * would stay. Rejects with DaemonError after the limit; an answer that comes later is taken back when it comes.
 */
export async function inTime<T>(asked: Promise<T>, { limitMs, what, address, undo }: InTime<T>): Promise<T> {
  if (await settledWithin(asked, limitMs)) return asked;
  void asked.then(undo).catch(() => {});
  throw new DaemonError(null, `${address} did not ${what} within ${limitMs} ms.`);
}

import { visibleParts } from '../../../shared/terminal/visible-text.ts';

/** Characters of a daemon's own words that an error repeats. */
const WORDS_MAX = 600;

/** How far a call came: nobody listens there, or it did not get through, or the daemon was reached for all that is known. */
type Contact = 'absent' | 'failed' | 'made';

/** A call that a daemon did not answer, or answered with a refusal. `message` is a sentence for a person. */
export class DaemonError extends Error {
  /** The HTTP status of a refusal; null where there was no answer. */
  readonly status: number | null;
  readonly contact: Contact;

  constructor(status: number | null, message: string, contact: Contact = 'made') {
    super(message);
    this.name = 'DaemonError';
    this.status = status;
    this.contact = contact;
  }
}

/** A daemon's words on one bounded line, with a space for all that would not show (B24). */
export function cleanWords(words: string): string {
  return visibleParts(words.slice(0, 2 * WORDS_MAX))
    .map((part) => (part.kind === 'text' ? part.text : ' '))
    .join('')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, WORDS_MAX);
}

/** What a failed call of dockerode means. `what` says what was asked: "create the container". */
export function asDaemonError(error: unknown, what: string, address: string): DaemonError {
  if (error instanceof DaemonError) return error;
  const status = numberOf(error, 'statusCode');
  if (status !== null) return new DaemonError(status, `${address} did not ${what}: ${refusalOf(error)}`);
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const message = error instanceof Error ? error.message : String(error);
  if (code === 'EACCES')
    return new DaemonError(
      null,
      `You may not use ${address}. Docker: add yourself to its group (sudo usermod -aG docker "$USER", then log in again), or use rootless Docker or Podman.`,
      'failed',
    );
  if (code === 'ENOENT' || code === 'ECONNREFUSED')
    return new DaemonError(null, `Nothing answers at ${address}. Is the daemon running?`, 'absent');
  return new DaemonError(null, `${address} could not be asked to ${what}: ${cleanWords(message)}`, 'failed');
}

function refusalOf(error: unknown): string {
  const json = typeof error === 'object' && error !== null && 'json' in error ? error.json : null;
  const message = typeof json === 'object' && json !== null && 'message' in json ? json.message : null;
  if (typeof message === 'string') return cleanWords(message);
  if (!(error instanceof Error)) return 'it gave no reason';
  // Where a stream was asked for, dockerode has the words in a message of its own.
  return cleanWords(error.message.replace(/^\(HTTP code \d+\) unexpected - /, ''));
}

function numberOf(error: unknown, field: string): number | null {
  const value =
    typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[field] : null;
  return typeof value === 'number' ? value : null;
}

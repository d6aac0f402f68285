import type { ExportFormat, Redaction } from '../../../shared/transcripts/transcript.ts';
import { redactionName } from './redactions.ts';

/** What a person wants of an export, also while one that was made is looked at. */
export interface ExportWishes {
  readonly format: ExportFormat;
  readonly withInput: boolean;
  readonly redactions: readonly Redaction[];
  /** A pattern that is typed and not added to the redactions yet. */
  readonly pattern: string;
}

export const NO_WISHES: ExportWishes = { format: 'cast', withInput: false, redactions: [], pattern: '' };

/** Each redaction is there once. */
export function withRedaction(wishes: ExportWishes, redaction: Redaction): ExportWishes {
  const name = redactionName(redaction);
  const isThere = wishes.redactions.some((other) => redactionName(other) === name);
  return isThere ? wishes : { ...wishes, redactions: [...wishes.redactions, redaction] };
}

/** What is typed is meant, whether or not it was added. */
export function withTyped(wishes: ExportWishes): ExportWishes {
  const { pattern } = wishes;
  return pattern === '' ? wishes : { ...withRedaction(wishes, { kind: 'pattern', pattern }), pattern: '' };
}

import { visibleLine } from '../../../../shared/terminal/visible-text.ts';
import type { Moment } from '../../../../shared/transcripts/moment.ts';
import { momentWords } from '../../../../shared/transcripts/moment-words.ts';

/** UTF-16 units of a label: as many as a recording has, and from how many on an ellipsis says that it was cut. */
export const LABEL = { maxChars: 300, cutFromChars: 200 } as const;

/** Without its last word, of which the rest was cut off: it may be the beginning of what a rule finds. */
export function withoutCutWord(text: string): string {
  return text.replace(/\S*$/, '…');
}

/** A label to search in: as it was before it was cut, or without its last word where nothing says the rest. */
export function wholeLabel(moment: Moment): string {
  const { kind, label } = moment;
  const isCut = label.length >= LABEL.maxChars || (label.length >= LABEL.cutFromChars && label.endsWith('…'));
  if (!isCut) return label;
  if (kind === 'marker' || kind === 'approval-requested' || kind === 'approval-decided')
    return withoutCutWord(label);
  const { what, rest } = momentWords(moment);
  return visibleLine(`${what}: ${rest}`, Number.POSITIVE_INFINITY);
}

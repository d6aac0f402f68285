import { REDACTION } from '../../../../shared/transcripts/limits.ts';
import type { ExportReport } from '../../../../shared/transcripts/transcript.ts';
import { type ChannelMatches, ChannelSearch, type Match } from './channel.ts';
import { ChannelMask } from './masking.ts';
import type { Rule } from './rules.ts';

export type Removed = ExportReport['removed'][number];

/** What was removed, in order of time, as far as it is listed; and all of it, counted. */
export class RemovalList {
  readonly #listed: Removed[] = [];
  #count = 0;
  /** When what is masked now happened, milliseconds. */
  atMs = 0;

  get listed(): readonly Removed[] {
    return this.#listed;
  }

  get count(): number {
    return this.#count;
  }

  readonly add = ({ rule, shown }: Pick<Match, 'rule' | 'shown'>): void => {
    this.#count += 1;
    if (this.#listed.length < REDACTION.listedMax) this.#listed.push({ rule, atMs: this.atMs, shown });
  };
}

/** Everything that is found in one string by itself, such as a title. */
export function redactWhole(rules: readonly Rule[], text: string, removals: RemovalList): string {
  const search = new ChannelSearch(rules);
  search.push(text);
  return new ChannelMask(search.end(), removals.add).mask(text);
}

/** Searches a channel that can be read again: the strings of it in order. */
export function searchChannel(rules: readonly Rule[], texts: Iterable<string>): ChannelMatches {
  const search = new ChannelSearch(rules);
  for (const text of texts) search.push(text);
  return search.end();
}

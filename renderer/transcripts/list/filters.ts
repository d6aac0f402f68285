import { ENGINE_NAMES, engineKindSchema } from '../../../shared/terminal/engine-status.ts';
import { endedHowSchema, type TranscriptFilters } from '../../../shared/transcripts/transcript.ts';
import { ENDED_WORDS, KIND_WORDS } from '../transcript-words.ts';

/** One choice of a filter's menu. */
export interface FilterOption {
  readonly id: string;
  readonly label: string;
  readonly change: TranscriptFilters;
}

/** A filter with a menu; `any` is what it says while it lets everything through. */
export interface MenuFilter {
  readonly id: string;
  readonly name: string;
  readonly any: FilterOption;
  readonly options: readonly FilterOption[];
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** `now` is a Unix time: days are those of the person's own calendar. */
export function menuFilters(
  profiles: readonly { readonly id: string; readonly name: string }[],
  now: number,
): MenuFilter[] {
  return [
    dates(now),
    {
      id: 'profile',
      name: 'Profile',
      any: { id: 'any', label: 'Any profile', change: { profileId: undefined } },
      options: profiles.map(({ id, name }) => ({ id, label: name, change: { profileId: id } })),
    },
    {
      id: 'engine',
      name: 'Engine',
      any: { id: 'any', label: 'Any engine', change: { engine: undefined } },
      options: engineKindSchema.options.map((engine) => ({
        id: engine,
        label: ENGINE_NAMES[engine],
        change: { engine },
      })),
    },
    {
      id: 'kind',
      name: 'Kind',
      any: { id: 'any', label: 'Any kind', change: { kind: undefined } },
      options: (['shell', 'governed', 'imported'] as const).map((kind) => ({
        id: kind,
        label: KIND_WORDS[kind],
        change: { kind },
      })),
    },
    {
      id: 'ended',
      name: 'Ended',
      any: { id: 'any', label: 'Any ending', change: { ended: undefined } },
      options: endedHowSchema.options.map((ended) => ({
        id: ended,
        label: ENDED_WORDS[ended],
        change: { ended },
      })),
    },
  ];
}

/** The option that is in force. */
export function chosenOption(filter: MenuFilter, filters: TranscriptFilters): FilterOption {
  return filter.options.find(({ change }) => sets(change, filters)) ?? filter.any;
}

/** With a change applied; what it takes away is no longer in it. */
export function applyFilter(filters: TranscriptFilters, change: TranscriptFilters): TranscriptFilters {
  const merged = Object.entries({ ...filters, ...change }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(merged) as TranscriptFilters;
}

function dates(now: number): MenuFilter {
  const since = (days: number) => {
    const date = new Date(now - days * DAY_MS);
    return new Date(date.getFullYear(), date.getMonth(), date.getDate()).toISOString();
  };
  const option = (id: string, label: string, days: number) => ({
    id,
    label,
    change: { from: since(days), to: undefined },
  });
  return {
    id: 'date',
    name: 'Date',
    any: { id: 'any', label: 'Any date', change: { from: undefined, to: undefined } },
    options: [
      option('today', 'Today', 0),
      option('week', 'Last 7 days', 6),
      option('month', 'Last 30 days', 29),
      option('year', 'Last 12 months', 364),
      {
        id: 'older',
        label: 'Older than 30 days',
        change: { from: undefined, to: since(29) },
      },
    ],
  };
}

function sets(change: TranscriptFilters, filters: TranscriptFilters): boolean {
  return Object.entries(change).every(([key, value]) => filters[key as keyof TranscriptFilters] === value);
}

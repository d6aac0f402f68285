import { ENGINE_NAMES, engineKindSchema } from '../../../shared/terminal/engine-status.ts';
import { endedHowSchema, type TranscriptFilters } from '../../../shared/transcripts/transcript.ts';
import type { DateRange, ListFilters } from '../../state/transcripts-store.ts';
import { ENDED_WORDS, KIND_WORDS } from '../transcript-words.ts';

/** One choice of a filter's menu. */
export interface FilterOption {
  readonly id: string;
  readonly label: string;
  readonly change: ListFilters;
}

/** A filter with a menu; `any` is what it says while it lets everything through. */
export interface MenuFilter {
  readonly id: string;
  readonly name: string;
  readonly any: FilterOption;
  readonly options: readonly FilterOption[];
}

const DAY_MS = 24 * 60 * 60 * 1_000;

export function menuFilters(
  profiles: readonly { readonly id: string; readonly name: string }[],
): MenuFilter[] {
  return [
    DATES,
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
export function chosenOption(filter: MenuFilter, filters: ListFilters): FilterOption {
  return filter.options.find(({ change }) => sets(change, filters)) ?? filter.any;
}

/** With a change applied; what it takes away is no longer in it. */
export function applyFilter(filters: ListFilters, change: ListFilters): ListFilters {
  const merged = Object.entries({ ...filters, ...change }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(merged) as ListFilters;
}

/** As the host takes them. `now` is a Unix time: a range of days is that of the day on which it is asked for. */
export function hostFilters({ date, ...others }: ListFilters, now: number): TranscriptFilters {
  if (date === undefined) return others;
  const edge = midnight(now, DAYS[date]);
  return { ...others, ...(date === 'older' ? { to: edge } : { from: edge }) };
}

/** Whole days before today at which a range begins, or what is older ends. */
const DAYS: Readonly<Record<DateRange, number>> = { today: 0, week: 6, month: 29, year: 364, older: 29 };

function midnight(now: number, daysBefore: number): string {
  const date = new Date(now - daysBefore * DAY_MS);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).toISOString();
}

const DATES: MenuFilter = {
  id: 'date',
  name: 'Date',
  any: { id: 'any', label: 'Any date', change: { date: undefined } },
  options: (
    [
      ['today', 'Today'],
      ['week', 'Last 7 days'],
      ['month', 'Last 30 days'],
      ['year', 'Last 12 months'],
      ['older', 'Older than 30 days'],
    ] as const
  ).map(([date, label]) => ({ id: date, label, change: { date } })),
};

function sets(change: ListFilters, filters: ListFilters): boolean {
  return Object.entries(change).every(([key, value]) => filters[key as keyof ListFilters] === value);
}

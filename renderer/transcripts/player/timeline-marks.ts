import type { Moment } from '../../../shared/transcripts/moment.ts';
import { type MomentTone, momentTone } from '../transcript-words.ts';

/** Marks that a timeline draws at most: more than that many places cannot be told apart. */
const PLACES = 400;

/** What a mark looks like when several moments share its place: the one that matters most. */
const WEIGHT: Record<MomentTone, number> = { plain: 0, command: 1, publication: 2, decision: 3, danger: 4 };

export interface TimelineMark {
  /** 0 to 1. */
  readonly at: number;
  readonly tone: MomentTone;
}

/** One mark for each place that has moments. */
export function timelineMarks(moments: readonly Moment[], durationMs: number): TimelineMark[] {
  const places = new Map<number, TimelineMark>();
  for (const moment of moments) {
    const at = durationMs === 0 ? 0 : Math.min(1, moment.atMs / durationMs);
    const place = Math.round(at * PLACES);
    const tone = momentTone(moment);
    const before = places.get(place);
    if (before === undefined || WEIGHT[tone] > WEIGHT[before.tone])
      places.set(place, { at: before?.at ?? at, tone });
  }
  return [...places.values()];
}

/** The moment that is nearest to a time, if one is within `reachMs`. */
export function nearestMoment(moments: readonly Moment[], atMs: number, reachMs: number): Moment | null {
  let nearest: Moment | null = null;
  for (const moment of moments) {
    const distance = Math.abs(moment.atMs - atMs);
    if (distance > reachMs) continue;
    if (nearest === null || distance < Math.abs(nearest.atMs - atMs)) nearest = moment;
  }
  return nearest;
}

/** The last moment at or before a time; null before the first. */
export function momentAt(moments: readonly Moment[], timeMs: number): Moment | null {
  return moments.findLast(({ atMs }) => atMs <= timeMs) ?? null;
}

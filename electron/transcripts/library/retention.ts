import { type Settings, sandboxProfiles } from '../../../shared/settings/schema.ts';
import type { RetentionPreview, TranscriptSummary } from '../../../shared/transcripts/transcript.ts';

export interface RetentionRules {
  /** Days; what a profile says instead wins. */
  readonly keepDays: number;
  readonly keepDaysOf: Readonly<Record<string, number>>;
  /** Of all transcripts together. */
  readonly totalMiB: number;
  /** Of the transcripts of one profile, where it says so. */
  readonly totalMiBOf: Readonly<Record<string, number>>;
}

/** What the settings say. */
export function retentionRules(settings: Settings): RetentionRules {
  const profiles = sandboxProfiles(settings);
  const own = (key: 'keepDays' | 'keepMiB') =>
    Object.fromEntries(
      profiles.flatMap(({ id, [key]: value }) => (value === null ? [] : [[id, value] as const])),
    );
  return { ...settings.transcripts, keepDaysOf: own('keepDays'), totalMiBOf: own('keepMiB') };
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const MIB = 1024 * 1024;

/**
 * What rules of keeping would delete, oldest first, and why: what ended too long ago, then the oldest of each profile that
 * has a space of its own, and then the oldest until the rest is small enough. Never what is running. `all`: oldest first.
 */
export function previewRetention(
  all: readonly TranscriptSummary[],
  rules: RetentionRules,
  nowMs: number,
): RetentionPreview {
  const why = new Map<TranscriptSummary, string>();
  for (const transcript of all) {
    const days = rules.keepDaysOf[transcript.profileId] ?? rules.keepDays;
    if (mayGo(transcript) && ageMs(transcript, nowMs) > days * DAY_MS)
      why.set(transcript, `Older than ${days} ${days === 1 ? 'day' : 'days'}.`);
  }
  /** Takes the oldest of `some` until what is left of them fits. */
  const makeFit = (some: readonly TranscriptSummary[], mib: number, whose: string) => {
    let left = some.reduce((sum, transcript) => sum + (why.has(transcript) ? 0 : transcript.bytes), 0);
    for (const transcript of some) {
      if (left <= mib * MIB) break;
      if (!mayGo(transcript) || why.has(transcript)) continue;
      why.set(transcript, `${whose} together are larger than ${mib} MiB, and this is of the oldest.`);
      left -= transcript.bytes;
    }
  };
  for (const [profileId, mib] of Object.entries(rules.totalMiBOf))
    makeFit(
      all.filter((transcript) => transcript.profileId === profileId),
      mib,
      'The transcripts of this profile',
    );
  makeFit(all, rules.totalMiB, 'All transcripts');
  const goes = all.flatMap((transcript) => {
    const reason = why.get(transcript);
    return reason === undefined ? [] : [{ ...transcript, why: reason }];
  });
  return { goes, bytes: goes.reduce((sum, { bytes }) => sum + bytes, 0) };
}

function mayGo({ ended }: TranscriptSummary): boolean {
  return ended.how !== 'running';
}

/** Since its end. What does not say when it was is not old. */
function ageMs({ startedAt, durationMs }: TranscriptSummary, nowMs: number): number {
  return startedAt === null ? 0 : nowMs - Date.parse(startedAt) - durationMs;
}

import type { RetentionPreview, TranscriptSummary } from '../../../shared/transcripts/transcript.ts';

export interface RetentionRules {
  /** Days; what a profile says instead wins. */
  readonly keepDays: number;
  readonly keepDaysOf: Readonly<Record<string, number>>;
  readonly totalMiB: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const MIB = 1024 * 1024;

/**
 * What rules of keeping would delete, oldest first, and why: what ended too long ago, and then the oldest until the rest is
 * small enough. Never what is running. `all`: oldest first.
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
  let left = all.reduce((sum, transcript) => sum + (why.has(transcript) ? 0 : transcript.bytes), 0);
  for (const transcript of all) {
    if (left <= rules.totalMiB * MIB) break;
    if (!mayGo(transcript) || why.has(transcript)) continue;
    why.set(
      transcript,
      `All transcripts together are larger than ${rules.totalMiB} MiB, and this is of the oldest.`,
    );
    left -= transcript.bytes;
  }
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

import { ENGINE_NAMES } from '../../shared/terminal/engine-status.ts';
import { visibleLine } from '../../shared/terminal/visible-text.ts';
import type { Moment } from '../../shared/transcripts/moment.ts';
import { isFailure } from '../../shared/transcripts/moment-words.ts';
import type { EndedHow, TranscriptSummary } from '../../shared/transcripts/transcript.ts';
import { counted } from '../ui/format.ts';

/** "12:41", "1:02:03": a place in a transcript. */
export function clockTime(milliseconds: number): string {
  const all = Math.max(0, Math.floor(milliseconds / 1_000));
  const seconds = String(all % 60).padStart(2, '0');
  const minutes = Math.floor(all / 60) % 60;
  const hours = Math.floor(all / 3_600);
  return hours === 0
    ? `${String(minutes).padStart(2, '0')}:${seconds}`
    : `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`;
}

/** "12 minutes 41 seconds", for a screen reader. */
export function spokenTime(milliseconds: number): string {
  const all = Math.max(0, Math.floor(milliseconds / 1_000));
  const parts = [
    [Math.floor(all / 3_600), 'hour'],
    [Math.floor(all / 60) % 60, 'minute'],
    [all % 60, 'second'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, unit]) => counted(count, unit));
  return said.length === 0 ? '0 seconds' : said.join(' ');
}

/** "38 s", "11 min", "2 h 5 min": how long a transcript is. */
export function lengthWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** "today 14:02", "yesterday 09:30", "Thu 09:30", "29 Nov 14:02", "29 Nov 2025": as near as it is. */
export function whenWords(iso: string | null, now: number = Date.now()): string {
  if (iso === null) return 'no date';
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return 'no date';
  const time = moment.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const days = Math.round((startOfDay(new Date(now)) - startOfDay(moment)) / DAY_MS);
  if (days === 0) return `today ${time}`;
  if (days === 1) return `yesterday ${time}`;
  if (days > 1 && days < 7) return `${moment.toLocaleDateString('en-GB', { weekday: 'short' })} ${time}`;
  const day = moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  return moment.getFullYear() === new Date(now).getFullYear()
    ? `${day} ${time}`
    : `${day} ${moment.getFullYear()}`;
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

export const KIND_WORDS: Record<TranscriptSummary['kind'], string> = {
  shell: 'Shells',
  governed: 'Governed sessions',
  imported: 'Imported files',
};

export const ENDED_WORDS: Record<EndedHow, string> = {
  running: 'Still running',
  success: 'Exit code 0',
  failure: 'Another exit code',
  signal: 'A signal',
  concluded: 'Finalized',
  unknown: 'Outcome unknown',
  interrupted: 'Interrupted',
};

/** Whether it is known how a transcript ended: not before it was read to its end, which takes a while with many. */
function isEndKnown({ ended, indexed }: TranscriptSummary): boolean {
  return ended.how !== 'running' || indexed === 1;
}

/** "today 14:02 · 11 min", "today 14:02 · running"; only when it began where more is not known yet. */
export function whenAndHowLong(transcript: TranscriptSummary): string {
  const { startedAt, durationMs, ended } = transcript;
  const when = whenWords(startedAt);
  if (!isEndKnown(transcript)) return when;
  return `${when} · ${ended.how === 'running' ? 'running' : lengthWords(durationMs)}`;
}

const PRODUCT_MAX_CHARS = 80;

/** "gVisor in Docker"; where the recording says no more, what its engine is called. */
function engineWords({ engine, product }: TranscriptSummary): string {
  if (product !== null && product !== '') return visibleLine(product, PRODUCT_MAX_CHARS);
  return engine === null ? '' : ENGINE_NAMES[engine];
}

/** The few words under a title: "Bubblewrap", "exited 1", "1 receipt". */
export function summaryFacts(transcript: TranscriptSummary): string[] {
  const { kind, ended, approvals, receipts, stopped } = transcript;
  return [
    kind === 'imported' ? 'imported' : engineWords(transcript),
    kind === 'governed' ? 'governed' : '',
    !isEndKnown(transcript) || (kind === 'imported' && ended.how === 'unknown')
      ? ''
      : ended.words.replace(/\.$/, ''),
    receipts > 0 ? counted(receipts, 'receipt') : approvals > 0 ? counted(approvals, 'approval') : '',
    stopped === null ? '' : 'recording stopped',
  ].filter((fact) => fact !== '');
}

/** Kinds of moments that a timeline tells apart by colour. */
export type MomentTone = 'decision' | 'publication' | 'command' | 'danger' | 'plain';

export function momentTone(moment: Moment): MomentTone {
  switch (moment.kind) {
    case 'approval-requested':
    case 'approval-decided':
      return 'decision';
    case 'publication':
      return moment.receiptId === null ? 'danger' : 'publication';
    case 'command-start':
      return 'command';
    case 'command-end':
      return isFailure(moment) ? 'danger' : 'command';
    case 'recording-stopped':
      return 'danger';
    default:
      return 'plain';
  }
}

export interface MomentCount {
  readonly tone: MomentTone;
  readonly count: number;
  /** What is counted: "decisions". */
  readonly words: string;
}

/** How many there are of the kinds that one looks for, most important first. */
export function momentCounts(moments: readonly Moment[]): MomentCount[] {
  const of = (tone: MomentTone, kind: Moment['kind'], one: string) => {
    const count = moments.filter((moment) => moment.kind === kind && momentTone(moment) === tone).length;
    return count === 0 ? [] : [{ tone, count, words: count === 1 ? one : `${one}s` }];
  };
  return [
    ...of('decision', 'approval-decided', 'decision'),
    ...of('publication', 'publication', 'publication'),
    ...of('danger', 'publication', 'failed publication'),
    ...of('command', 'command-start', 'command'),
  ];
}

import type { Receipt } from '../../../shared/governed/receipt.ts';
import { ENGINE_NAMES } from '../../../shared/terminal/engine-status.ts';
import { visibleLine } from '../../../shared/terminal/visible-text.ts';
import type { Moment } from '../../../shared/transcripts/moment.ts';
import { momentWords } from '../../../shared/transcripts/moment-words.ts';
import type {
  ExportReport,
  FoundTranscript,
  OpenedTranscript,
  RetentionPreview,
  TranscriptSummary,
} from '../../../shared/transcripts/transcript.ts';
import { ownCommand } from '../../own-command.ts';
import type { ApprovalLink } from './links.ts';

/** What programs and foreign files wrote may move no cursor here. */
const line = (text: string, max = 200) => visibleLine(text, max);

/** Transcripts as lines, with their hits below them. */
export function listInWords(transcripts: readonly FoundTranscript[]): string[] {
  return transcripts.flatMap((transcript) => [
    summaryLine(transcript),
    ...transcript.hits.map(({ atMs, text }) => `    ${clock(atMs)}  ${line(text)}`),
    ...(transcript.hitCount > transcript.hits.length
      ? [`    … ${transcript.hitCount - transcript.hits.length} more`]
      : []),
  ]);
}

function summaryLine({
  id,
  startedAt,
  durationMs,
  profileId,
  kind,
  ended,
  title,
  ...rest
}: TranscriptSummary): string {
  const facts = [
    id,
    startedAt?.slice(0, 16).replace('T', ' ') ?? '                ',
    clock(durationMs),
    kind === 'shell' ? line(profileId, 20) : kind,
    ended.how,
    ...(rest.approvals > 0 ? [count(rest.approvals, 'approval')] : []),
    ...(rest.receipts > 0 ? [count(rest.receipts, 'receipt')] : []),
    line(title, 60),
  ];
  return facts.join('  ');
}

/** A transcript that goes, and why. */
export function goesInWords({ why, ...transcript }: RetentionPreview['goes'][number]): string[] {
  return [summaryLine(transcript), `    ${line(why)}`];
}

export interface ShownTranscript {
  readonly transcript: OpenedTranscript;
  readonly links: readonly ApprovalLink[];
  /** Those of the audit log that hold. */
  readonly receipts: readonly Receipt[];
  /** What does not hold in that log; null when all of it does. */
  readonly auditBroken: string | null;
}

export function transcriptInWords({ transcript, links, receipts, auditBroken }: ShownTranscript): string[] {
  const { id, title, kind, profileId, engine, product, startedAt, durationMs, size, bytes, ended, stopped } =
    transcript;
  return [
    line(title),
    `  id         ${id}`,
    `  kind       ${[kind, profileId, product ?? (engine === null ? '' : ENGINE_NAMES[engine])]
      .filter(Boolean)
      .map((text) => line(text, 64))
      .join(' · ')}`,
    `  started    ${startedAt ?? 'not known'}`,
    `  length     ${clock(durationMs)}, ${count(transcript.textLines, 'line')}, ${bytes} bytes, ${size.cols}×${size.rows}`,
    `  ended      ${line(ended.words)}`,
    ...(stopped === null ? [] : [`  stopped    ${line(stopped)}`]),
    ...section('Moments', transcript.moments, momentInWords),
    ...section('Approvals', links, linkInWords),
    ...section('Receipts', receipts, receiptInWords),
    ...(auditBroken === null ? [] : [`  ✗ ${line(auditBroken)} ${ownCommand('verify')} says more.`]),
  ];
}

function momentInWords(moment: Moment): string {
  const { what, rest } = momentWords(moment);
  return `${clock(moment.atMs)}  ${line(rest === '' ? what : `${what}: ${rest}`)}`;
}

function linkInWords({ approvalId, requestedAtMs, decision, outcome, receiptIds }: ApprovalLink): string {
  return [
    approvalId,
    ...(requestedAtMs === null ? [] : [`requested ${clock(requestedAtMs)}`]),
    ...(decision === null ? [] : [`${decision.outcome} ${clock(decision.atMs)}`]),
    ...(outcome === null ? [] : [`${outcomeInWords(outcome)} ${clock(outcome.atMs)}`]),
    ...receiptIds.map((id) => `receipt ${id}`),
  ].join('  →  ');
}

function outcomeInWords({ command, status }: NonNullable<ApprovalLink['outcome']>): string {
  const { what, rest } = momentWords({ kind: 'command-end', command, status, label: '' });
  return line(`${what}: ${rest}`, 120);
}

function receiptInWords({ id, destination, bytes, sha256 }: Receipt): string {
  return `${id}  ${line(destination)}  ${bytes} bytes  SHA-256 ${sha256}`;
}

export function exportInWords(output: string, report: Omit<ExportReport, 'exportId'>): string[] {
  const { bytes, originalSha256, removed, removedCount, remaining } = report;
  const unlisted = removedCount - removed.length;
  return [
    `${output}: ${bytes} bytes`,
    `  SHA-256 of the recording  ${originalSha256}`,
    ...(removedCount === 0 ? [] : [`  removed ${count(removedCount, 'text')}:`]),
    ...removed.map(foundInWords),
    ...(unlisted > 0 ? [`    … ${unlisted} more`] : []),
    ...(remaining.length === 0 ? [] : ['  ✗ still on the screen; look at the file before it leaves:']),
    ...remaining.map(foundInWords),
  ];
}

function foundInWords({ atMs, shown, rule }: ExportReport['removed'][number]): string {
  return `    ${clock(atMs)}  ${line(shown)}  by ${line(rule)}`;
}

function section<T>(title: string, entries: readonly T[], words: (entry: T) => string): string[] {
  return entries.length === 0 ? [] : [`  ${title}`, ...entries.map((entry) => `    ${words(entry)}`)];
}

/** `1:02:03.456`; the hours only where there are some. */
function clock(ms: number): string {
  const whole = Math.floor(ms / 1_000);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const two = (number: number) => String(number).padStart(2, '0');
  const seconds = `${two(whole % 60)}.${String(Math.floor(ms) % 1_000).padStart(3, '0')}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${seconds}` : `${two(minutes)}:${seconds}`;
}

export function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

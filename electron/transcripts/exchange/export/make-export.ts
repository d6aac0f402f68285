import { rmSync } from 'node:fs';
import type { ExportProgress } from '../../../../shared/protocol/transcript-requests.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { REDACTION } from '../../../../shared/transcripts/limits.ts';
import type { ExportFormat, ExportReport, Redaction } from '../../../../shared/transcripts/transcript.ts';
import type { CastHeader } from '../../cast/header.ts';
import { maskedForm } from '../redaction/masked-form.ts';
import type { Removed } from '../redaction/redactor.ts';
import { compileRules, type Rule } from '../redaction/rules.ts';
import type { ScreenHit } from '../redaction/screen-search.ts';
import { castLines } from './cast-lines.ts';
import { Exported } from './exported.ts';
import { htmlPage } from './html-page.ts';
import { OutputFile } from './output-file.ts';
import { readPlayerFiles } from './player-files.ts';
import { ReadMeter } from './read-meter.ts';
import { ExportSource } from './source.ts';
import { textLines } from './text-lines.ts';

export interface ExportPlan {
  /** Of the recording. */
  readonly folder: string;
  /** Of the export: a new file, or an empty one that its owner has put there. */
  readonly path: string;
  readonly format: ExportFormat;
  readonly redactions: readonly Redaction[];
  readonly withInput: boolean;
}

export type MadeExport = Omit<ExportReport, 'exportId'>;

/**
 * Writes an export. Reads the recording several times and holds little of it; takes long for a large one. Fails with the
 * redaction that is none; throws when files cannot be read or written, and leaves none then.
 */
export async function makeExport(
  plan: ExportPlan,
  onProgress: (progress: ExportProgress) => void = () => {},
): Promise<Result<MadeExport, string>> {
  const rules = compileRules(plan.redactions);
  if (!rules.ok) return fail(rules.error);
  const isText = plan.format === 'text';
  const source = new ExportSource(plan.folder, new ReadMeter(readingsOf(plan), onProgress));
  const exported = new Exported(source, {
    rules: rules.value,
    withInput: plan.withInput && !isText,
    screenOnly: isText,
  });
  // Before it is written: what is found is removed.
  const remaining = rules.value.length === 0 ? [] : remainingOf(exported);
  const bytes = write(plan.path, linesOf(exported, plan.format, rules.value));
  const removed = exported.removals.listed.toSorted((a, b) => a.atMs - b.atMs);
  const removedCount = exported.removals.count;
  // Behind them: of a header that is no part of the export nothing was removed.
  const fileName = fileNameOf(exported.header, plan.format);
  return ok({ fileName, bytes, originalSha256: await source.sha256(), removed, removedCount, remaining });
}

/** How often the recording is read: to write and to hash it, and to search it first; text is searched as lines besides. */
function readingsOf({ format, redactions, withInput }: ExportPlan): number {
  if (redactions.length === 0) return 2;
  if (format === 'text') return 7;
  return withInput ? 8 : 6;
}

function linesOf(exported: Exported, format: ExportFormat, rules: readonly Rule[]): Iterable<string> {
  if (format === 'cast') return castLines(exported);
  return format === 'text' ? textLines(exported, rules) : htmlPage(exported, readPlayerFiles());
}

function write(path: string, pieces: Iterable<string>): number {
  const file = new OutputFile(path);
  try {
    for (const piece of pieces) file.write(piece);
    return file.finish();
  } catch (error) {
    file.abandon();
    rmSync(path, { force: true });
    throw error;
  }
}

/** Times that what leaves is searched: a mask where something was can make a whole of what stands beside it. */
const SEARCHES_MAX = 4;

/** What is still on the screens after all that could be done. In order of time, each text of a rule once. */
function remainingOf(exported: Exported): Removed[] {
  for (let search = 1; ; search += 1) {
    const hits = exported.removeFromScreens();
    if (hits.length === 0 || search === SEARCHES_MAX) return listed(hits);
  }
}

function listed(hits: readonly ScreenHit[]): Removed[] {
  const each = new Map(hits.map((hit) => [`${hit.rule}\0${hit.text}`, hit]));
  return [...each.values()]
    .slice(0, REDACTION.listedMax)
    .map(({ rule, atMs, text }) => ({ rule, atMs, shown: maskedForm(text) }));
}

const EXTENSIONS: Readonly<Record<ExportFormat, string>> = { cast: 'cast', text: 'txt', html: 'html' };

/** Of plain characters, whatever the title holds: `airlock-2026-11-29-1405-work.cast`. */
function fileNameOf({ title = '', timestamp }: CastHeader, format: ExportFormat): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '');
  const parts = ['airlock', dayAndTime(timestamp), name].filter((part) => part !== '');
  return `${parts.join('-')}.${EXTENSIONS[format]}`;
}

function dayAndTime(timestamp: number | undefined): string {
  const date = new Date((timestamp ?? Number.NaN) * 1_000);
  if (Number.isNaN(date.getTime())) return '';
  return date.toISOString().slice(0, 16).replace('T', '-').replace(':', '');
}

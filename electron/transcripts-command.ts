import { join, resolve } from 'node:path';
import { LIST } from '../shared/transcripts/limits.ts';
import type {
  ExportFormat,
  FoundTranscript,
  ListPlace,
  Redaction,
  TranscriptFilters,
} from '../shared/transcripts/transcript.ts';
import { examineLog } from './audit/verify-audit.ts';
import { ownCommand } from './own-command.ts';
import { exportToFile } from './transcripts/command/export-to-file.ts';
import { approvalLinks } from './transcripts/command/links.ts';
import { TRANSCRIPTS_EXIT, TranscriptsError } from './transcripts/command/outcome.ts';
import { removeTranscripts } from './transcripts/command/remove.ts';
import { transcriptIds, transcriptsFolder, withCatalogue } from './transcripts/command/with-catalogue.ts';
import { count, exportInWords, listInWords, transcriptInWords } from './transcripts/command/words.ts';
import type { Catalogue } from './transcripts/library/query/catalogue.ts';

interface Common {
  readonly dataDir: string;
  readonly json: boolean;
}

export interface ListOptions extends Common {
  /** Empty: everything that passes the filters. */
  readonly search: string;
  readonly raw: boolean;
  readonly filters: TranscriptFilters;
  readonly limit: number;
}

/** `airlock transcripts list` and `search`. Returns the exit code. Throws TranscriptsError. */
export async function listTranscripts(options: ListOptions): Promise<number> {
  const { dataDir, json, search } = options;
  const page = (await reading(dataDir, (catalogue) => pages(catalogue, options))) ?? NOTHING;
  if (json) console.log(JSON.stringify(page));
  else {
    for (const line of listInWords(page.transcripts)) console.log(line);
    for (const line of notesOf(page, search)) console.log(line);
  }
  return search !== '' && page.transcripts.length === 0
    ? TRANSCRIPTS_EXIT.nothingFound
    : TRANSCRIPTS_EXIT.done;
}

interface Listed {
  readonly transcripts: readonly FoundTranscript[];
  readonly total: number;
  readonly hitCount: number;
  readonly more: boolean;
  readonly counted: boolean;
  readonly indexing: number;
}

const NOTHING: Listed = { transcripts: [], total: 0, hitCount: 0, more: false, counted: true, indexing: 0 };

function pages(catalogue: Catalogue, { search, raw, filters, limit }: ListOptions): Listed {
  const transcripts: FoundTranscript[] = [];
  for (let from: ListPlace | undefined; ; ) {
    const wanted = Math.min(LIST.pageMax, limit - transcripts.length);
    // Nobody else waits for this process: a search takes the time that it needs.
    const page = catalogue.list({ search, raw, filters, from, limit: wanted }, Number.POSITIVE_INFINITY);
    transcripts.push(...page.transcripts);
    const { next, counted, indexing } = page;
    if (next === null || transcripts.length >= limit) {
      const total = Math.max(page.total, transcripts.length);
      const shown = transcripts.reduce((sum, { hitCount }) => sum + hitCount, 0);
      const hitCount = Math.max(page.hitCount, shown);
      return { transcripts, total, hitCount, more: next !== null, counted, indexing };
    }
    from = next;
  }
}

function notesOf({ transcripts, total, more, counted, indexing }: Listed, search: string): string[] {
  const of = counted ? String(total) : `at least ${total}`;
  return [
    ...(transcripts.length === 0 ? [search === '' ? 'No transcripts.' : 'Nothing was found.'] : []),
    ...(more ? [`${transcripts.length} of ${of}; --limit shows more.`] : []),
    ...(indexing > 0 ? [`${count(indexing, 'transcript')} cannot be searched to their end yet.`] : []),
  ];
}

export interface ShowOptions extends Common {
  /** Or its beginning, where that is enough. */
  readonly id: string;
}

/** `airlock transcripts show`: one transcript, its moments, and what they are linked to. Throws TranscriptsError. */
export async function showTranscript({ dataDir, json, id }: ShowOptions): Promise<number> {
  const whole = wholeId(dataDir, id);
  const transcript = whole === null ? null : await reading(dataDir, (catalogue) => catalogue.open(whole));
  if (transcript === null) return unknown(id);
  const log = await examineLog(dataDir);
  const named = new Set(
    transcript.moments.flatMap((one) => (one.kind === 'publication' ? [one.receiptId] : [])),
  );
  const receipts = log.receipts
    .map(({ receipt }) => receipt)
    .filter((receipt) => receipt.sessionId === transcript.id || named.has(receipt.id));
  const links = approvalLinks(transcript.moments, receipts);
  const shown = { transcript, links, receipts, auditBroken: log.chain?.message ?? null };
  console.log(json ? JSON.stringify(shown) : transcriptInWords(shown).join('\n'));
  return TRANSCRIPTS_EXIT.done;
}

export interface ExportOptions extends Common {
  readonly id: string;
  readonly format: ExportFormat;
  readonly redactions: readonly Redaction[];
  readonly withInput: boolean;
  /** A file that does not exist; named after the transcript in the working folder when left out. */
  readonly output: string | undefined;
}

const EXTENSIONS: Readonly<Record<ExportFormat, string>> = { cast: 'cast', text: 'txt', html: 'html' };

/**
 * `airlock transcripts export`: never replaces a file, and leaves none that is not whole, Ctrl-C included. Throws
 * TranscriptsError.
 */
export async function exportTranscript(options: ExportOptions): Promise<number> {
  const { dataDir, json, format, redactions, withInput } = options;
  const id = wholeId(dataDir, options.id);
  if (id === null) return unknown(options.id);
  const output = resolve(options.output ?? `airlock-${id.slice(0, 8)}.${EXTENSIONS[format]}`);
  const folder = join(transcriptsFolder(dataDir), id);
  const made = await exportToFile({ folder, path: output, format, redactions, withInput }).catch((error) => {
    throw new TranscriptsError(whyNotWritten(error, output));
  });
  if (made === 'interrupted') {
    console.error(`Interrupted; ${output} was not made.`);
    return TRANSCRIPTS_EXIT.interrupted;
  }
  if (!made.ok) throw new TranscriptsError(made.error);
  const { fileName: _, ...report } = made.value;
  if (json) console.log(JSON.stringify({ id, output, format, ...report }));
  else console.log(exportInWords(output, made.value).join('\n'));
  return report.remaining.length === 0 ? TRANSCRIPTS_EXIT.done : TRANSCRIPTS_EXIT.remaining;
}

export interface DeleteOptions extends Common {
  /** Or their beginnings, where those are enough. */
  readonly ids: readonly string[];
  /** Otherwise nothing is touched. */
  readonly yes: boolean;
}

/** `airlock transcripts delete`: all of `ids`, or none when one of them is unknown. Throws TranscriptsError. */
export async function deleteTranscripts({ dataDir, json, ids, yes }: DeleteOptions): Promise<number> {
  const whole: string[] = [];
  for (const id of ids) {
    const found = wholeId(dataDir, id);
    if (found === null) return unknown(id);
    whole.push(found);
  }
  const goes = [...new Set(whole)];
  if (yes) await removeTranscripts(dataDir, goes, 'in its list of transcripts');
  if (json) console.log(JSON.stringify({ goes, deleted: yes }));
  else {
    const all = count(goes.length, 'transcript');
    for (const id of goes) console.log(id);
    console.log(
      yes ? `Deleted ${all}.` : `${all} would go. Nothing was deleted; --yes deletes them for good.`,
    );
  }
  return TRANSCRIPTS_EXIT.done;
}

function whyNotWritten({ code, message }: NodeJS.ErrnoException, output: string): string {
  if (code === 'EEXIST') return `${output} exists already, and nothing was written. Name another file.`;
  if (code === 'ENOENT') return `${output} cannot be made: its folder does not exist.`;
  if (code === 'ENOSPC') return `${output} cannot be written: the disk is full.`;
  return `The export failed: ${message}`;
}

async function reading<T>(dataDir: string, use: (catalogue: Catalogue) => T): Promise<T | null> {
  const waiting = () => console.error('Reading recordings that are not indexed yet…');
  try {
    return await withCatalogue(dataDir, waiting, use);
  } catch (error) {
    if (error instanceof TranscriptsError) throw error;
    throw new TranscriptsError(`The transcripts of ${dataDir} cannot be read: ${(error as Error).message}`);
  }
}

/** Characters of the beginning of an id at least: a variable that was empty must not name the only transcript. */
const ID_MIN_CHARS = 4;

function wholeId(dataDir: string, id: string): string | null {
  if (id.length < ID_MIN_CHARS)
    throw new TranscriptsError(`“${id}” is too short: write at least ${ID_MIN_CHARS} characters of the id.`);
  const found = transcriptIds(dataDir).filter((one) => one.startsWith(id.toLowerCase()));
  if (found.length > 1)
    throw new TranscriptsError(`${found.length} transcripts begin with ${id}; write more of the id.`);
  return found[0] ?? null;
}

function unknown(id: string): number {
  console.error(`error: no transcript has the id ${id}. ${ownCommand('transcripts list')} shows all.`);
  return TRANSCRIPTS_EXIT.nothingFound;
}

import { existsSync, readFileSync } from 'node:fs';
import { SETTINGS_FILE_MAX_BYTES } from '../../../shared/terminal/limits.ts';
import type { RetentionPreview } from '../../../shared/transcripts/transcript.ts';
import { requirePlainFile } from '../../plain-file.ts';
import { readSettings } from '../../settings/settings-document.ts';
import { settingsPath } from '../../settings/settings-file.ts';
import { type RetentionRules, retentionRules } from '../library/retention.ts';
import { TRANSCRIPTS_EXIT, TranscriptsError } from './outcome.ts';
import { removeTranscripts } from './remove.ts';
import { withCatalogue } from './with-catalogue.ts';
import { count, goesInWords } from './words.ts';

export interface PruneOptions {
  readonly dataDir: string;
  readonly json: boolean;
  /** Deletes; otherwise nothing is touched. */
  readonly yes: boolean;
}

const NOTHING: RetentionPreview = { goes: [], bytes: 0 };

/**
 * `airlock transcripts prune`: what the rules of the settings would delete, and with `yes` deletes just that, which the audit
 * log records first. Returns the exit code. Throws TranscriptsError.
 */
export async function pruneTranscripts({ dataDir, json, yes }: PruneOptions): Promise<number> {
  const rules = rulesOf(dataDir);
  const preview = await previewOf(dataDir, rules);
  if (yes && preview.goes.length > 0)
    await removeTranscripts(
      dataDir,
      preview.goes.map(({ id }) => id),
      'in its settings, under Transcripts',
    );
  if (json) console.log(JSON.stringify({ ...preview, deleted: yes }));
  else for (const line of pruneInWords(preview, yes)) console.log(line);
  return TRANSCRIPTS_EXIT.done;
}

/** Settings that cannot be read would stand for the defaults, by which other things go. */
function rulesOf(dataDir: string): RetentionRules {
  const path = settingsPath(dataDir);
  const { settings, problems } = readSettings(existsSync(path) ? textOf(path) : undefined);
  const [problem] = problems;
  if (problem === undefined) return retentionRules(settings);
  const where = problem.field === '' ? '' : ` ${problem.field}:`;
  throw new TranscriptsError(
    `Nothing was deleted: the settings (${path}) are not valid.${where} ${problem.message}`,
  );
}

function textOf(path: string): string {
  try {
    requirePlainFile(path, SETTINGS_FILE_MAX_BYTES);
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new TranscriptsError(`Nothing was deleted: ${path} cannot be read: ${(error as Error).message}`);
  }
}

async function previewOf(dataDir: string, rules: RetentionRules): Promise<RetentionPreview> {
  const waiting = () => console.error('Reading recordings that are not indexed yet…');
  try {
    const preview = await withCatalogue(dataDir, waiting, (catalogue) =>
      catalogue.retention(rules, Date.now()),
    );
    return preview ?? NOTHING;
  } catch (error) {
    throw new TranscriptsError(`The transcripts of ${dataDir} cannot be read: ${(error as Error).message}`);
  }
}

function pruneInWords({ goes, bytes }: RetentionPreview, deleted: boolean): string[] {
  if (goes.length === 0) return ['Nothing would go now.'];
  const all = `${count(goes.length, 'transcript')}, ${bytes} bytes`;
  return [
    ...goes.flatMap(goesInWords),
    deleted ? `Deleted ${all}.` : `${all} would go. Nothing was deleted; --yes deletes them for good.`,
  ];
}

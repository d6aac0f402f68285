import { type Command, InvalidArgumentError, Option } from 'commander';
import { engineKindSchema } from '../shared/terminal/engine-status.ts';
import { REDACTION, SEARCH_MAX_CHARS } from '../shared/transcripts/limits.ts';
import {
  type ExportFormat,
  endedHowSchema,
  exportFormatSchema,
  type Redaction,
  type TranscriptFilters,
} from '../shared/transcripts/transcript.ts';
import { dataDir } from './settings/data-dir.ts';

interface FilterOptions extends TranscriptFilters {
  readonly profile?: string;
}
interface CommonOptions {
  readonly dataDir?: string;
  readonly json: boolean;
}
type ListCliOptions = CommonOptions & FilterOptions & { readonly limit: number; readonly raw?: boolean };
type ExportCliOptions = CommonOptions & {
  readonly format: ExportFormat;
  readonly redact: readonly string[];
  readonly redactText: readonly string[];
  readonly withInput: boolean;
  readonly output?: string;
};

/** `airlock transcripts …`. */
export function addTranscriptCommands(program: Command, dataDirOption: () => Option): void {
  const transcripts = program
    .command('transcripts')
    .description('recordings of sessions: find them, read them, hand them on')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  const subcommand = (usage: string, description: string) =>
    transcripts
      .command(usage)
      .description(description)
      .addOption(dataDirOption())
      .option('--json', 'print one line of JSON', false);

  withFilters(subcommand('list', 'list transcripts, the newest first')).action((options: ListCliOptions) =>
    list('', options),
  );

  withFilters(
    subcommand('search', 'find text in what the screens showed').argument(
      '<text>',
      'as it was shown',
      parseSearch,
    ),
  )
    .option('--raw', 'search what programs wrote instead, hidden and overwritten text included', false)
    .action(list);

  subcommand('show', 'show one transcript, its moments, and the decisions and receipts they lead to')
    .argument('<id>', 'of the transcript, or its beginning')
    .action((id: string, options: CommonOptions) =>
      run(async () => {
        const { showTranscript } = await import('./transcripts-command.ts');
        return showTranscript({ ...common(options), id });
      }),
    );

  subcommand('export', 'make a copy to hand on; the recording stays as it is')
    .argument('<id>', 'of the transcript, or its beginning')
    .addOption(
      new Option('--format <format>', 'of the copy').choices(exportFormatSchema.options).default('cast'),
    )
    .option(
      '--redact <pattern>',
      'remove what this Rust regular expression matches; may be repeated',
      collect,
      [],
    )
    .option('--redact-text <text>', 'remove exactly this text; may be repeated', collect, [])
    .option('--with-input', 'with what was typed, where it was recorded', false)
    .option('--output <file>', 'a new file; named after the transcript when left out')
    .action((id: string, { format, redact, redactText, withInput, output, ...options }: ExportCliOptions) => {
      const redactions: Redaction[] = [
        ...redact.map((pattern) => ({ kind: 'pattern', pattern }) as const),
        ...redactText.map((text) => ({ kind: 'text', text }) as const),
      ];
      return run(async () => {
        const { exportTranscript } = await import('./transcripts-command.ts');
        return exportTranscript({ ...common(options), id, format, redactions, withInput, output });
      });
    });

  subcommand('delete', 'delete transcripts for good, with --yes')
    .argument('<id...>', 'of the transcripts, or their beginnings')
    .option('--yes', 'delete them; the audit log records that first', false)
    .action((ids: string[], { yes, ...options }: CommonOptions & { readonly yes: boolean }) =>
      run(async () => {
        const { deleteTranscripts } = await import('./transcripts-command.ts');
        return deleteTranscripts({ ...common(options), ids, yes });
      }),
    );

  addPrune(subcommand('prune', 'show what the rules of the settings would delete, and delete it with --yes'));
}

function addPrune(command: Command): void {
  command
    .addOption(
      new Option('--dry-run', 'only show what would go; so it is without --yes too').conflicts('yes'),
    )
    .option('--yes', 'delete it for good; the audit log records that first', false)
    .action(({ yes, ...options }: CommonOptions & { readonly yes: boolean }) =>
      run(async () => {
        const { pruneTranscripts } = await import('./transcripts/command/prune.ts');
        return pruneTranscripts({ ...common(options), yes });
      }),
    );
}

function withFilters(command: Command): Command {
  return command
    .option('--from <date>', 'started on or after this date or time (ISO 8601)', parseDate)
    .option('--to <date>', 'started before it', parseDate)
    .option('--profile <id>', 'of this profile')
    .addOption(new Option('--engine <engine>', 'of this engine').choices(engineKindSchema.options))
    .addOption(new Option('--kind <kind>', 'of this kind').choices(['shell', 'governed', 'imported']))
    .addOption(new Option('--ended <how>', 'that ended so').choices(endedHowSchema.options))
    .option('--with-approvals', 'with requests for approval')
    .option('--with-receipts', 'with receipts')
    .option('--limit <number>', 'transcripts at most', parseLimit, 50);
}

function list(search: string, { limit, raw = false, profile, ...options }: ListCliOptions): Promise<void> {
  const { from, to, engine, kind, ended, withApprovals, withReceipts } = options;
  const all = { from, to, profileId: profile, engine, kind, ended, withApprovals, withReceipts };
  const filters: TranscriptFilters = Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  );
  return run(async () => {
    const { listTranscripts } = await import('./transcripts-command.ts');
    return listTranscripts({ ...common(options), search, raw, filters, limit });
  });
}

function common({ dataDir: chosen, json }: CommonOptions) {
  return { dataDir: dataDir(chosen), json };
}

/** The exit code is what `action` answers, or what stands for its error. */
async function run(action: () => Promise<number>): Promise<void> {
  const { TranscriptsError, TRANSCRIPTS_EXIT } = await import('./transcripts/command/outcome.ts');
  try {
    process.exitCode = await action();
  } catch (error) {
    if (!(error instanceof TranscriptsError)) throw error;
    console.error(`error: ${error.message}`);
    process.exitCode = TRANSCRIPTS_EXIT.failed;
  }
}

function collect(value: string, before: readonly string[]): string[] {
  if (value === '' || value.length > REDACTION.patternMaxChars) {
    throw new InvalidArgumentError(`It must have 1 to ${REDACTION.patternMaxChars} characters.`);
  }
  if (before.length >= REDACTION.patternsMax) {
    throw new InvalidArgumentError(`There may be ${REDACTION.patternsMax} at most.`);
  }
  return [...before, value];
}

function parseSearch(text: string): string {
  if (text !== '' && text.length <= SEARCH_MAX_CHARS) return text;
  throw new InvalidArgumentError(`It must have 1 to ${SEARCH_MAX_CHARS} characters.`);
}

function parseDate(text: string): string {
  if (/^\d{4}-\d\d/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('It must be a date such as 2026-01-31 or 2026-01-31T12:00:00Z.');
}

function parseLimit(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 999999.');
}

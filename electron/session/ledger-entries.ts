import { z } from 'zod';
import { engineKindSchema } from '../../shared/terminal/engine-status.ts';
import { outcomeSchema, releaseCauseSchema } from '../../shared/terminal/outcome.ts';
import type { SandboxIdentity } from '../sandbox/engine.ts';

/**
 * The lines of a session ledger: one header that names the host which writes it, then one entry per fact. JSON, one
 * object a line, only ever appended.
 */
export const ledgerHeaderSchema = z.object({
  ledger: z.literal(1),
  machine: z.string(),
  pid: z.number().int().positive(),
  /** As in SandboxIdentity; null where the system does not tell. */
  startTime: z.string().nullable(),
  bootId: z.string().nullable(),
  at: z.string(),
});
export type LedgerHeader = z.infer<typeof ledgerHeaderSchema>;

const identitySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('process'), pid: z.number().int(), startTime: z.string(), bootId: z.string() }),
  z.object({
    kind: z.literal('container'),
    id: z.string(),
    endpoint: z.string(),
    certificates: z.string().optional(),
    session: z.string().optional(),
  }),
  z.object({
    kind: z.literal('program'),
    container: z.string(),
    exec: z.string(),
    mark: z.string(),
    startTime: z.string().optional(),
    endpoint: z.string(),
    certificates: z.string().optional(),
  }),
  z.object({ kind: z.literal('machine'), machine: z.string(), execution: z.string() }),
]) satisfies z.ZodType<SandboxIdentity>;

const common = { session: z.string(), at: z.string() };
export const ledgerEntrySchema = z.discriminatedUnion('event', [
  /** Something will be started for this session (ST-6). */
  z.object({ ...common, event: z.literal('intent'), engine: engineKindSchema, profile: z.string() }),
  /** What was started; from here on the session is open. */
  z.object({ ...common, event: z.literal('committed'), engine: engineKindSchema, identity: identitySchema }),
  z.object({ ...common, event: z.literal('releasing'), cause: releaseCauseSchema }),
  /** Nothing of the session is left: it was released, or never came to be. */
  z.object({ ...common, event: z.literal('clean'), outcome: outcomeSchema.nullable() }),
  /** Removal is not confirmed; the record stays (ST-25). */
  z.object({ ...common, event: z.literal('needs-attention'), reason: z.string() }),
  /** The host died before the session ended, and nothing of it is left (ST-26) that a later host could end. */
  z.object({ ...common, event: z.literal('host-lost'), detail: z.string() }),
]);
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/** What the entries of one session come to. */
export interface SessionRecord {
  readonly session: string;
  readonly engine: z.infer<typeof engineKindSchema> | null;
  readonly profile: string | null;
  readonly identity: SandboxIdentity | null;
  readonly last: LedgerEntry['event'];
  /** Why it needs attention; null unless that is the last entry. */
  readonly reason: string | null;
}

/** A record is closed when nothing of its session can be left that a later host could end. */
export function isOpen(record: SessionRecord): boolean {
  return record.last !== 'clean' && record.last !== 'host-lost';
}

export interface LedgerContents {
  readonly header: LedgerHeader;
  readonly records: readonly SessionRecord[];
}

/**
 * Null when the header is missing, torn or not one of this version. A later line that cannot be read is skipped: it
 * was torn by a crash or a full disk, and a session whose end it was is looked after once more, which is harmless.
 */
export function parseLedger(text: string): LedgerContents | null {
  // What follows the last line feed was never finished.
  const [first, ...lines] = text.split('\n').slice(0, -1).filter(Boolean);
  const header = ledgerHeaderSchema.safeParse(parseJson(first ?? ''));
  if (!header.success) return null;
  const entries = lines.flatMap((line) => ledgerEntrySchema.safeParse(parseJson(line)).data ?? []);
  return { header: header.data, records: foldEntries(entries) };
}

export function foldEntries(entries: readonly LedgerEntry[]): SessionRecord[] {
  const records = new Map<string, SessionRecord>();
  for (const entry of entries) records.set(entry.session, afterEntry(records.get(entry.session), entry));
  return [...records.values()];
}

function afterEntry(before: SessionRecord | undefined, entry: LedgerEntry): SessionRecord {
  return {
    session: entry.session,
    engine: 'engine' in entry ? entry.engine : (before?.engine ?? null),
    profile: 'profile' in entry ? entry.profile : (before?.profile ?? null),
    identity: 'identity' in entry ? entry.identity : (before?.identity ?? null),
    last: entry.event,
    reason: entry.event === 'needs-attention' ? entry.reason : null,
  };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ENGINE_NAMES, type EngineKind } from '../../shared/terminal/engine-status.ts';
import { RELEASE_DEADLINE_MS } from '../../shared/terminal/limits.ts';
import { requirePlainFile } from '../plain-file.ts';
import type { RecoveryReport, SandboxEngine } from '../sandbox/engine.ts';
import { withDeadline } from './deadline.ts';
import { mayBeAlive } from './host-identity.ts';
import { isOpen, parseLedger, type SessionRecord } from './ledger-entries.ts';
import type { LedgerFact, SessionLedger } from './session-ledger.ts';

/** Bytes of one ledger: some hundred thousand sessions of one host. */
const LEDGER_MAX_BYTES = 64 * 1024 * 1024;

export interface RecoveredSession {
  readonly session: string;
  /** What was found or why it needs attention, in words. */
  readonly detail: string;
  /** Nothing that can be asked about later is known of what may be left. */
  readonly untraceable?: true;
}

export interface RecoverySummary {
  /** Ended by the loss of their host; nothing of them is left (ST-26). */
  readonly hostLost: readonly RecoveredSession[];
  /**
   * Could not be confirmed as gone. Their records stay and are looked at again at the next start (ST-25); those that are
   * untraceable until a person has noted them, for whom that is all that can be done.
   */
  readonly needsAttention: readonly RecoveredSession[];
  /** Ledger files that could not be read or taken over, with the reason. They stay. */
  readonly problems: readonly string[];
}

/** What became of a record. */
type Found = RecoveryReport | { readonly kind: 'untraceable'; readonly reason: string };

/**
 * Ends what dead hosts left behind and records how (ST-26), side by side: daemons can be slow. What is still open is carried
 * over into `ledger`, then the dead host's file is removed; a crash in between only repeats the work, and so does a host that
 * closes before a file is through. Ledgers of live hosts are left alone. Never rejects.
 */
export async function recoverSessions(
  ledger: SessionLedger,
  engines: ReadonlyMap<EngineKind, SandboxEngine>,
  closing: AbortSignal,
): Promise<RecoverySummary> {
  const summary = {
    hostLost: [] as RecoveredSession[],
    needsAttention: [] as RecoveredSession[],
    problems: [] as string[],
  };
  const recoverFile = async (path: string) => {
    requirePlainFile(path, LEDGER_MAX_BYTES);
    const contents = parseLedger(await readFile(path, 'utf8'));
    // Another host may be writing its first line right now; a file without one holds no session.
    if (contents === null || mayBeAlive(contents.header)) return;
    const found = await Promise.all(
      contents.records
        .filter(isOpen)
        .map(async (record) => ({ record, as: await recoverOne(record, engines) })),
    );
    if (closing.aborted) return;
    for (const { record, as } of found) {
      const isGone = as.kind === 'absent' || as.kind === 'removed';
      const list = isGone ? summary.hostLost : summary.needsAttention;
      const { session } = record;
      const detail = inWords(as);
      list.push(as.kind === 'untraceable' ? { session, detail, untraceable: true } : { session, detail });
      for (const fact of carriedOver(record, as)) ledger.append(fact);
    }
    await ledger.flush();
    await rm(path, { force: true });
  };
  const files = (await otherLedgers(ledger)).map((path) =>
    recoverFile(path).catch((error) => summary.problems.push(`${path}: ${messageOf(error)}`)),
  );
  await Promise.all(files);
  return summary;
}

async function otherLedgers(ledger: SessionLedger): Promise<string[]> {
  try {
    const names = (await readdir(ledger.folder)).filter((name) => name.endsWith('.jsonl'));
    return names.map((name) => join(ledger.folder, name)).filter((path) => path !== ledger.path);
  } catch {
    return []; // No folder: no host has run here yet.
  }
}

function recoverOne(record: SessionRecord, engines: ReadonlyMap<EngineKind, SandboxEngine>): Promise<Found> {
  if (record.engine === null) return Promise.resolve(mismatch('Its record does not name its engine.'));
  const engine = engines.get(record.engine);
  if (engine === undefined)
    return Promise.resolve(mismatch(`The engine “${ENGINE_NAMES[record.engine]}” is not available here.`));
  // The opening failed, or the host died between the intent and the commit.
  if (record.identity === null) {
    const { leftByOpening } = engine;
    if (leftByOpening === undefined) return Promise.resolve({ kind: 'absent' });
    return Promise.resolve({ kind: 'untraceable', reason: record.reason ?? leftByOpening });
  }
  return withDeadline(engine.recover(record.identity), RELEASE_DEADLINE_MS, (reason) =>
    mismatch(messageOf(reason)),
  );
}

function carriedOver(record: SessionRecord, report: Found): LedgerFact[] {
  const { session, engine, profile, identity } = record;
  const facts: LedgerFact[] = [];
  if (engine !== null) facts.push({ event: 'intent', session, engine, profile: profile ?? '' });
  if (engine !== null && identity !== null) facts.push({ event: 'committed', session, engine, identity });
  if ('reason' in report) facts.push({ event: 'needs-attention', session, reason: report.reason });
  else facts.push({ event: 'host-lost', session, detail: inWords(report) });
  return facts;
}

function inWords(report: Found): string {
  switch (report.kind) {
    case 'absent':
      return 'Nothing of the sandbox was left.';
    case 'removed':
      return 'The sandbox was still there and was removed.';
    case 'mismatch':
    case 'untraceable':
      return report.reason;
  }
}

function mismatch(reason: string): RecoveryReport {
  return { kind: 'mismatch', reason };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

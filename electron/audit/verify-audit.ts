import type { KeyObject } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import type { AuditBreak, AuditVerification } from '../../shared/governed/audit.ts';
import { whyNotPublished } from '../publication/published-file.ts';
import { type AuditPaths, auditPaths, isMissing } from './audit-folder.ts';
import { fingerprintOf, readPublicKey } from './key-store.ts';
import { LogCheck } from './log-check.ts';
import { type Head, readHead } from './log-head.ts';
import type { LoggedReceipt } from './receipt-check.ts';

/**
 * Checks the audit log of a data folder from its first line to its last: form, chain, signature, receipts, and then
 * whether the published files are what their receipts say. Names the first thing that does not hold. Works without the
 * private key, and while a host writes the log. Rejects only where the log cannot be read at all.
 */
export async function verifyAudit(dataDir: string): Promise<AuditVerification> {
  const { receipts, ...log } = await examineLog(dataDir);
  const files = await checkFiles(receipts);
  const broken = firstOf(log.chain, files);
  return { ...log, receipts: receipts.length, ok: broken === null, broken, files };
}

/** The log by itself; `receipts` are those that hold in it. */
type ExaminedLog = Pick<AuditVerification, 'log' | 'lines' | 'keyFingerprint' | 'chain' | 'notes'> & {
  readonly receipts: readonly LoggedReceipt[];
};

/** As verifyAudit, without looking at the published files. */
export async function examineLog(dataDir: string): Promise<ExaminedLog> {
  const paths = auditPaths(dataDir);
  const key = await readKey(paths);
  if (key.broken !== null || key.publicKey === null) return nothingChecked(paths, key.broken);
  // Read before the log, which only grows.
  const head = await readHead(paths.head, key.publicKey);
  const check = new LogCheck(paths, key.publicKey);
  const chain = (await check.run()) ?? headBreak(head, check);
  return {
    log: paths.log,
    lines: check.lines,
    receipts: check.receipts.receipts,
    keyFingerprint: fingerprintOf(key.publicKey),
    chain,
    notes: chain === null ? await check.notes() : [],
  };
}

type FileBreak = AuditVerification['files'][number];

async function checkFiles(receipts: readonly LoggedReceipt[]): Promise<FileBreak[]> {
  const broken: FileBreak[] = [];
  for (const { line, receipt } of receipts) {
    const reason = await whyNotPublished(receipt.destination, receipt);
    if (reason !== null) broken.push({ receiptId: receipt.id, line, path: receipt.destination, reason });
  }
  return broken;
}

function firstOf(chain: AuditBreak | null, [file]: readonly FileBreak[]): AuditBreak | null {
  // Files are looked for only up to the line that does not hold, so theirs is the lower one.
  if (file === undefined) return chain;
  const { line, path, receiptId, reason } = file;
  const message = `${path} is not the file of receipt ${receiptId}: ${reason}.`;
  return { kind: 'file', line, event: 'publication.finished', message };
}

async function readKey(
  paths: AuditPaths,
): Promise<{ publicKey: KeyObject | null; broken: AuditBreak | null }> {
  try {
    const publicKey = await readPublicKey(paths.publicKey);
    const broken =
      publicKey === null && (await hasLog(paths)) ? keyBreak(`${paths.publicKey} is missing`) : null;
    return { publicKey, broken };
  } catch (error) {
    return {
      publicKey: null,
      broken: keyBreak(`${paths.publicKey} is damaged: ${(error as Error).message}`),
    };
  }
}

/** A log, or a head that says there was one. */
async function hasLog(paths: AuditPaths): Promise<boolean> {
  const sizes = await Promise.all([paths.log, paths.head].map(sizeOf));
  return sizes.some((size) => size > 0);
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await lstat(path)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

function nothingChecked(paths: AuditPaths, chain: AuditBreak | null): ExaminedLog {
  const notes = chain === null ? ['Nothing was recorded yet.'] : [];
  return { log: paths.log, lines: 0, receipts: [], keyFingerprint: null, chain, notes };
}

function keyBreak(message: string): AuditBreak {
  return { kind: 'key', line: null, event: null, message: `The log cannot be checked: ${message}.` };
}

function headBreak(head: Head | 'invalid' | null, check: LogCheck): AuditBreak | null {
  const at = { kind: 'end', line: check.lines + 1, event: null } as const;
  if (head === null && check.lines === 0) return null;
  if (head === null || head === 'invalid')
    return {
      ...at,
      message: 'The mark of how far the log went is missing or damaged, so lines may be missing here.',
    };
  if (head.n > check.lines)
    return { ...at, message: `The log ends after line ${check.lines}; it had at least ${head.n} lines.` };
  if (head.n > 0 && check.hashAt(head.n) !== head.hash)
    return { ...at, line: head.n, message: `Line ${head.n} is not the one that was there.` };
  return null;
}

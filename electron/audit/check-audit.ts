import type { Publication, Receipt } from '../../shared/governed/receipt.ts';
import type { AuditCheck, PublicationCheck } from '../../shared/governed/verification.ts';
import { whyNotPublished } from '../publication/published-file.ts';
import { examineLog, verifyAudit } from './verify-audit.ts';

/** The whole check in the words of the page; the command prints the same findings. */
export async function checkAudit(dataDir: string): Promise<AuditCheck> {
  const { log, lines, receipts, chain, files } = await verifyAudit(dataDir);
  return {
    checkedAt: new Date().toISOString(),
    log,
    records: lines,
    receipts,
    broken: chain === null ? null : { line: chain.line ?? 1, reason: chain.message },
    files: files.map(({ receiptId, path, reason }) => ({ receiptId, path, reason })),
  };
}

/** One publication: its receipt in the log, that log's signatures, and the file; of a failed one the kept file. */
export async function checkPublication(dataDir: string, publication: Publication): Promise<PublicationCheck> {
  const problems =
    publication.state === 'published'
      ? await receiptProblems(dataDir, publication.receipt)
      : await keptProblems(publication);
  const checkedAt = new Date().toISOString();
  return problems.length === 0 ? { state: 'ok', checkedAt } : { state: 'broken', checkedAt, problems };
}

async function receiptProblems(
  dataDir: string,
  { id, destination, bytes, sha256 }: Receipt,
): Promise<string[]> {
  const log = await examineLog(dataDir);
  const logged = log.receipts.find(({ receipt }) => receipt.id === id)?.receipt;
  if (logged?.sha256 !== sha256 || logged.bytes !== bytes || logged.destination !== destination) {
    const why = log.chain === null ? '' : ` ${log.chain.message}`;
    return [`The audit log holds no receipt of this publication that can be trusted.${why}`];
  }
  const reason = await whyNotPublished(destination, logged);
  return reason === null
    ? []
    : [`The published file ${destination} does not agree with its receipt: ${reason}.`];
}

async function keptProblems({
  kept,
  bytes,
  sha256,
}: Extract<Publication, { state: 'failed' }>): Promise<string[]> {
  const reason = await whyNotPublished(kept, { bytes, sha256 });
  return reason === null ? [] : [`The kept file ${kept} is not what was sealed: ${reason}.`];
}

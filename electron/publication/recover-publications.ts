import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditLog } from '../governed/ports.ts';
import type { DataFolders } from './data-folders.ts';
import { examineIntent, leftoverWords } from './examine-intent.ts';
import { HeldFolder } from './held-folder.ts';
import type { PublicationItem, PublicationLedger } from './publication-ledger.ts';

export interface PublicationRecovery {
  /** Ids of publications that a crash interrupted, now listed as failed. */
  readonly interrupted: readonly string[];
  /** Sessions whose staged files a crash left; they were removed, nothing of them was published. */
  readonly stagingsRemoved: number;
  /** What cannot be explained, in sentences. */
  readonly problems: readonly string[];
}

/**
 * What an earlier run left (F10): says what became of each publication that has no end, removes what no session can use
 * any more, and neither publishes nor removes anything outside the data folder.
 */
export async function recoverPublications(
  ledger: PublicationLedger,
  audit: AuditLog,
  folders: DataFolders,
): Promise<PublicationRecovery> {
  const interrupted: string[] = [];
  for (const item of ledger.all()) {
    if (item.state.kind !== 'sealed' && item.state.kind !== 'prepared') continue;
    await settle(ledger, item);
    interrupted.push(item.sealed.publication_id);
  }
  const problems = await tidySealed(ledger, folders);
  return { interrupted, stagingsRemoved: await clearStaging(audit, folders), problems };
}

async function settle(ledger: PublicationLedger, item: PublicationItem): Promise<void> {
  const { publication_id } = item.sealed;
  const at = new Date().toISOString();
  if (item.intent === null) {
    const error = (await notPrepared(item)) + (await leftoverWords(item));
    await ledger.record('publication.failed', item.sessionId, {
      publication_id,
      confirmed: false,
      error,
      at,
    });
    return;
  }
  const found = await examineIntent(item.intent);
  const detail = found.detail + (await leftoverWords(item));
  const { state } = found;
  await ledger.record('publication.recovered', item.sessionId, { publication_id, state, detail, at });
}

/** Nothing can have the destination's name yet; at most the candidate exists. */
async function notPrepared({ attempt }: PublicationItem): Promise<string> {
  if (attempt === null) return 'Airlock stopped before anyone decided on this file. Nothing was published.';
  const candidate = join(attempt.destination, '..', attempt.candidate_name);
  const left = (await exists(candidate)) ? ` An unfinished copy was left: ${candidate}` : '';
  return `Airlock stopped before it published this file. Nothing was published.${left}`;
}

async function exists(path: string): Promise<boolean> {
  try {
    const folder = await HeldFolder.openNamed(join(path, '..'));
    try {
      return (await folder.look(path.slice(path.lastIndexOf('/') + 1))) !== null;
    } finally {
      folder.close();
    }
  } catch {
    return false;
  }
}

/** Sealed files that are published or unwanted go; one that no record names is reported and stays. */
async function tidySealed(ledger: PublicationLedger, { sealed }: DataFolders): Promise<string[]> {
  const problems: string[] = [];
  for (const name of await readdir(sealed)) {
    const path = join(sealed, name);
    const state = ledger.get(name)?.state.kind;
    if (state === 'published' || state === 'discarded') await rm(path, { force: true });
    else if (state === undefined)
      problems.push(`${path} was sealed when Airlock stopped and has no record; it was not published.`);
  }
  return problems;
}

async function clearStaging(audit: AuditLog, { staging }: DataFolders): Promise<number> {
  const names = await readdir(staging);
  if (names.length === 0) return 0;
  await audit.append({ event: 'staging.cleared', sessionId: null, data: { stagings: names.length } });
  for (const name of names) await rm(join(staging, name), { recursive: true, force: true });
  return names.length;
}

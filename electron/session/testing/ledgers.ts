import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LedgerEntry, ledgerEntrySchema } from '../ledger-entries.ts';

/** Every entry of every ledger in a folder, file by file, in order. */
export function readLedgers(folder: string): LedgerEntry[] {
  return readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .slice(1)
      .map((line) => ledgerEntrySchema.parse(JSON.parse(line))),
  );
}

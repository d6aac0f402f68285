import { lstatSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mayBeAlive, thisHost } from '../../../session/host-identity.ts';
import { ledgerHeaderSchema } from '../../../session/ledger-entries.ts';

const NAME = '.host';
const CLAIM_MAX_BYTES = 64 * 1024;
/** A recording this young may be of a host that has not said yet that it is its. Milliseconds. */
const YOUNG_MS = 30_000;

/** Says in a recording's folder that this host writes it. Does nothing where that cannot be written. */
export function claimRecording(folder: string): void {
  try {
    // What stands there may be a pipe, which nobody should wait for.
    releaseRecording(folder);
    writeFileSync(join(folder, NAME), JSON.stringify(thisHost()), { mode: 0o600, flag: 'wx' });
  } catch {
    // Another host takes it for interrupted until its next line.
  }
}

export function releaseRecording(folder: string): void {
  rmSync(join(folder, NAME), { force: true, recursive: true });
}

/** Whether a host may still be writing a recording that has no end. In doubt it may. */
export function isBeingWritten(folder: string): boolean {
  try {
    if (Date.now() - statSync(folder).mtimeMs < YOUNG_MS) return true;
    const path = join(folder, NAME);
    const about = lstatSync(path);
    if (!about.isFile() || about.size > CLAIM_MAX_BYTES) return false;
    const claim = ledgerHeaderSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return claim.success && mayBeAlive(claim.data);
  } catch {
    return false;
  }
}

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

/** Milliseconds for `bwrap --version`. */
const VERSION_MS = 3_000;

/** Where distributions put it. Not PATH: what sandboxes everything is not picked up from a person's folder. */
const PLACES = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'];

export function findBwrap(): string | null {
  return PLACES.find((path) => existsSync(path)) ?? null;
}

/** The version, as in "0.8.0", or null when the program does not say one. */
export async function bwrapVersion(path: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: VERSION_MS });
    return /\d+\.\d+(\.\d+)?/.exec(stdout)?.[0] ?? null;
  } catch {
    return null;
  }
}

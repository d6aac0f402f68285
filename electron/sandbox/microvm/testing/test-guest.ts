import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { resourcePath } from '../../../resource-path.ts';
import { buildGuest } from '../guest/build.ts';
import { GuestStore } from '../guest/store.ts';
import { findMonitor } from '../programs.ts';

/** Among what test runs leave: a guest is built once, and again when its scripts have changed. */
const CACHE = join(import.meta.dirname, '../../../../test-results/microvm');

/** Milliseconds for a build, which downloads some 30 MB. */
export const BUILD_MS = 240_000;

/** Why no machine can run here; null where the tests must run. */
export function microvmObstacle(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return 'micro-VMs run on 64-bit x86 Linux alone';
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) return null;
  if (!existsSync('/usr/bin/qemu-system-x86_64')) return 'QEMU is not installed (qemu-system-x86)';
  return existsSync('/usr/bin/apt-get')
    ? null
    : 'a guest is built from Debian’s packages, and there is no apt-get';
}

/** A data folder with a guest. */
export async function guestDataDir(): Promise<string> {
  if ((await findMonitor('qemu')) === null)
    throw new Error('QEMU is not installed: apt-get install --no-install-recommends qemu-system-x86');
  if (await isFresh()) return CACHE;
  const fresh = `${CACHE}-${process.pid}`;
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  await buildGuest(fresh, 'linux-image-cloud-amd64', () => {}, new AbortController().signal);
  rmSync(CACHE, { recursive: true, force: true });
  renameSync(fresh, CACHE);
  return CACHE;
}

async function isFresh(): Promise<boolean> {
  const guest = await new GuestStore(CACHE).read();
  if (guest === null) return false;
  const scripts = resourcePath('microvm') ?? '';
  const changed = ['init', 'agent.pl'].map((name) => statSync(join(scripts, name)).mtimeMs);
  const contents = statSync(join(import.meta.dirname, '../guest/contents.ts')).mtimeMs;
  return Math.max(...changed, contents) < Date.parse(guest.builtAt);
}

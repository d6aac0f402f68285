import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { RELEASE } from '../../../shared/terminal/limits.ts';
import { processesWith } from '../testing/sandbox-shell.ts';
import { waitUntil } from '../wait.ts';

const HOST = fileURLToPath(new URL('../testing/session-host.ts', import.meta.url));
const NOBODY = '65534';

/** Milliseconds for the first process of a sandbox to exist. */
const PATIENCE_MS = 20_000;

/** When to kill: so many milliseconds after the host began to open sandboxes, or after the first process of one existed. */
interface Moment {
  readonly since: 'opening' | 'first process';
  readonly afterMs: number;
}

/** From before the first process exists to several whole sessions. */
const MOMENTS: readonly Moment[] = [
  ...[0, 10, 20, 30].map((afterMs) => ({ since: 'opening' as const, afterMs })),
  ...[0, 10, 20, 30, 45, 60, 75, 90].map((afterMs) => ({ since: 'first process' as const, afterMs })),
];

/**
 * Starts a host that opens sandboxes, and kills it at that moment. Resolves to how many processes of its sandboxes there
 * were then.
 */
async function killHost(marker: string, user: string, { since, afterMs }: Moment): Promise<number> {
  const host = spawn(process.execPath, [HOST, marker, user], { stdio: ['ignore', 'pipe', 'inherit'] });
  const alive = () => processesWith(marker).filter((pid) => pid !== host.pid).length;
  await once(host.stdout, 'data');
  if (since === 'first process') await waitUntil(() => alive() > 0, PATIENCE_MS);
  await delay(afterMs);
  const seen = alive();
  host.kill('SIGKILL');
  await once(host, 'exit');
  return seen;
}

// A host that is no root cannot become another user; it is tested as what it is.
const users = process.getuid?.() === 0 ? ['', NOBODY] : [''];

it.each(users)('ST-26 nothing survives a host that is killed at any moment (as user "%s")', async (user) => {
  let seen = 0;
  for (const [run, moment] of MOMENTS.entries()) {
    const marker = `host-death-${process.pid}-${user}-${run}-`;
    seen += await killHost(marker, user, moment);
    const gone = await waitUntil(() => processesWith(marker).length === 0, RELEASE.removalMs);
    expect({ moment, survivors: gone ? [] : processesWith(marker) }).toEqual({ moment, survivors: [] });
  }
  // Or else nothing was tested.
  expect(seen).toBeGreaterThan(0);
});

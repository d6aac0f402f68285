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

/**
 * Starts a host that opens sandboxes, and kills it `afterMs` milliseconds after it began. Resolves to how many processes
 * of its sandboxes there were at that moment.
 */
async function killHost(marker: string, user: string, afterMs: number): Promise<number> {
  const host = spawn(process.execPath, [HOST, marker, user], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(host.stdout, 'data');
  await delay(afterMs);
  const alive = processesWith(marker).filter((pid) => pid !== host.pid).length;
  host.kill('SIGKILL');
  await once(host, 'exit');
  return alive;
}

// A host that is no root cannot become another user; it is tested as what it is.
const users = process.getuid?.() === 0 ? ['', NOBODY] : [''];

it.each(users)('ST-26 nothing survives a host that is killed at any moment (as user "%s")', async (user) => {
  let seen = 0;
  for (let run = 0; run < 12; run++) {
    const marker = `host-death-${process.pid}-${user}-${run}-`;
    // From before the first process exists to several whole sessions.
    seen += await killHost(marker, user, run * 13);
    const gone = await waitUntil(() => processesWith(marker).length === 0, RELEASE.removalMs);
    expect({ run, survivors: gone ? [] : processesWith(marker) }).toEqual({ run, survivors: [] });
  }
  // Or else nothing was tested.
  expect(seen).toBeGreaterThan(0);
});

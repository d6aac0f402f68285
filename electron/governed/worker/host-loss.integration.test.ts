import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { BubblewrapEngine } from '../../sandbox/bubblewrap/engine.ts';
import { processesWith } from '../../sandbox/testing/sandbox-shell.ts';
import { waitUntil } from '../../sandbox/wait.ts';
import { foldEntries } from '../../session/ledger-entries.ts';
import { recoverSessions } from '../../session/recover-sessions.ts';
import { SessionLedger } from '../../session/session-ledger.ts';
import { readLedgers } from '../../session/testing/ledgers.ts';

const HOST = new URL('./testing/host-process.ts', import.meta.url).pathname;

it('ST-26 when the host is killed its worker dies with it, and the next host records that', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-worker-loss-'));
  const marker = `worker-loss-${process.pid}`;
  const host = spawn(process.execPath, [HOST, folder, marker], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(createInterface(host.stdout), 'line');
    expect(processesWith(marker).length).toBeGreaterThan(1);
    host.kill('SIGKILL');
    await once(host, 'exit');
    expect(await waitUntil(() => processesWith(marker).length === 0, 20_000)).toBe(true);

    const ledger = new SessionLedger(folder);
    const engine = new BubblewrapEngine({ privateFolders: [folder] });
    const summary = await recoverSessions(
      ledger,
      new Map([['bubblewrap', engine]]),
      new AbortController().signal,
    );
    expect(summary).toMatchObject({
      hostLost: [{ session: 'session-lost' }],
      needsAttention: [],
      problems: [],
    });
    expect(foldEntries(readLedgers(folder))).toMatchObject([{ session: 'session-lost', last: 'host-lost' }]);
    ledger.close();
  } finally {
    host.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
});

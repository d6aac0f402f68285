import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BubblewrapEngine } from '../sandbox/bubblewrap/engine.ts';
import { foldEntries, isOpen } from './ledger-entries.ts';
import { SessionRegistry } from './session-registry.ts';
import { readLedgers } from './testing/ledgers.ts';
import { killProcessesMentioning, processesMentioning } from './testing/processes.ts';

const HOST = new URL('./testing/host-process.ts', import.meta.url).pathname;

let folder: string;
let marker: string;
let host: ChildProcess | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airlock-host-loss-'));
  marker = `${randomInt(1e9, 2e9)}.5`;
});
afterEach(async () => {
  if (host !== null) await kill(host);
  // A failed test must not leave behind what it found.
  killProcessesMentioning(marker);
  rmSync(folder, { recursive: true });
});

/** Resolves when the host has its first session open. The marker is in the arguments of every process of its sandboxes. */
async function startHost(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [HOST, folder, marker], { stdio: ['ignore', 'pipe', 'inherit'] });
  host = child;
  await once(createInterface(child.stdout), 'line');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function nextHost() {
  const engine = new BubblewrapEngine({ privateFolders: [folder] });
  return new SessionRegistry({ engines: new Map([['bubblewrap', engine]]), ledgerFolder: folder });
}

const openRecords = () => foldEntries(readLedgers(folder)).filter(isOpen);

describe('ST-26 kill -9 of the host', () => {
  // The moment is random on purpose; the message names it.
  it.each(Array.from({ length: 10 }, () => randomInt(0, 700)))(
    'after %i ms nothing survives, and the next host records it',
    async (moment) => {
      const child = await startHost();
      await delay(moment);
      await kill(child);

      await vi.waitUntil(() => processesMentioning(marker).length === 0, {
        timeout: 20_000,
        interval: 5,
      });
      const left = openRecords().map(({ session }) => session);
      const registry = nextHost();
      const summary = await registry.recoverSessions();
      expect(summary.hostLost.map(({ session }) => session)).toEqual(left);
      expect(summary.needsAttention).toEqual([]);
      expect(summary.problems).toEqual([]);
      const records = foldEntries(readLedgers(folder));
      expect(records.map(({ last }) => last)).toEqual(left.map(() => 'host-lost'));
      await registry.releaseAll('host-closing');
    },
  );
});

it('a second host on the same folder leaves the sessions of a live one alone', async () => {
  const child = await startHost();
  const registry = nextHost();
  expect(await registry.recoverSessions()).toEqual({ hostLost: [], needsAttention: [], problems: [] });
  const [line] = await once(createInterface(child.stdout as NonNullable<typeof child.stdout>), 'line');
  expect(line).toMatch(/^[0-9a-f-]{36}$/);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { clientOverSocket, type TestClient } from '../../connection/testing/test-client.ts';
import { windowKey } from './approval-window.ts';
import { launchWith } from './launch.ts';

export const CLI = join(import.meta.dirname, '../../cli.ts');

/** An `airlock serve` of its own process and data folder. */
export class ServeProcess {
  readonly dataDir: string;
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';

  constructor(args: string[] = ['--json'], dataDir = mkdtempSync(join(tmpdir(), 'airlock-serve-'))) {
    this.dataDir = dataDir;
    this.child = spawn(process.execPath, [CLI, 'serve', '--data-dir', dataDir, ...args]);
    this.child.stdout?.on('data', (chunk) => {
      this.stdout += chunk;
    });
    this.child.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
    });
  }

  /** What `--json` prints. */
  async started(): Promise<{
    address: string;
    port: number;
    approvalPort: number;
    pid: number;
    dataDir: string;
    version: string;
  }> {
    while (!this.stdout.includes('\n')) {
      if (this.child.exitCode !== null) throw new Error(`serve ended early: ${this.stderr}`);
      await Promise.race([
        once(this.child.stdout as NodeJS.ReadableStream, 'data'),
        once(this.child, 'close'),
      ]);
    }
    return JSON.parse(this.stdout);
  }

  async client(): Promise<TestClient> {
    return clientOf((await this.started()).address);
  }

  /** Resolves to the exit code, or to the name of the signal that ended it. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
    this.child.kill(signal);
    return this.ended();
  }

  async ended(): Promise<number | string> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'close');
    return this.child.exitCode ?? (this.child.signalCode as string);
  }

  async dispose(): Promise<void> {
    await this.end('SIGKILL');
    rmSync(this.dataDir, { recursive: true });
  }
}

/** A client that was let in by a printed address: through the approval page, and on from there, as a tab goes. */
export async function clientOf(address: string): Promise<TestClient> {
  return (await tabOf(address)).client;
}

/** Both pages of one tab: the main page's client, and the key of a window that approves, at its own origin. */
export async function tabOf(
  address: string,
): Promise<{ client: TestClient; approvals: { origin: string; key: string } }> {
  const passed = await signedIn(address);
  const next = new URL(passed.next);
  const { origin } = new URL(address);
  return {
    client: await clientAt(next),
    approvals: { origin, key: (await windowKey(origin, passed.key)) as string },
  };
}

async function clientAt(next: URL): Promise<TestClient> {
  const socket = new WebSocket(`ws://${next.host}/connection`, { headers: { Origin: next.origin } });
  await once(socket, 'open');
  const client = clientOverSocket(socket);
  const answer = await client.hello(launchWith(tokenOf(next)));
  if (answer.type !== 'welcome') throw new Error(JSON.stringify(answer));
  return client;
}

/** What the approval page has after its launch: its key, and the address in the main page that it goes on to. */
async function signedIn(address: string): Promise<{ next: string; key: string }> {
  const url = new URL(address);
  const launch = launchWith(tokenOf(url));
  const answer = await fetch(new URL('/api/sign-in', url), {
    method: 'POST',
    headers: { Origin: url.origin, 'Content-Type': 'application/json' },
    body: JSON.stringify(launch),
  });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  const { value } = (await answer.json()) as { value: { next: string } };
  return { ...value, key: launch.key };
}

function tokenOf(address: URL): string {
  return new URLSearchParams(address.hash.slice(1)).get('token') as string;
}

/** Pids of the living processes that have `marker` among their arguments, in whatever sandbox. */
export function processesWith(marker: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        // Zombies have no arguments.
        return argv.includes(marker);
      } catch {
        return false;
      }
    })
    .map(Number);
}

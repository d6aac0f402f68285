import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profileSchema } from '../../../shared/settings/schema.ts';
import { checkIdentity } from '../process-identity.ts';
import { SandboxShell } from '../testing/sandbox-shell.ts';
import { MicrovmEngine } from './engine.ts';
import { callFirecracker } from './monitor/firecracker-api.ts';
import { deviceAccess } from './monitor/process.ts';
import { dialVsock } from './monitor/vsock.ts';
import { BUILD_MS, guestDataDir, microvmObstacle } from './testing/test-guest.ts';

const SIZE = { cols: 133, rows: 41 };
/** Milliseconds for a boot on a busy machine. */
const BOOT_MS = 120_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'airlock-firecracker-'));
  // The monitor may be another user, who has to reach its program.
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The fake as a program; the name says that it is none. */
function fakeFirecracker(): string {
  const path = join(folder, 'fake-firecracker');
  const source = join(import.meta.dirname, 'testing/fake-firecracker.ts');
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${source}' "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

const obstacle = microvmObstacle();
if (obstacle !== null) it.skip(`Firecracker’s dialogue: not run: ${obstacle}`, () => {});
else
  describe('a micro-VM by Firecracker’s API and vsock (a fake, with a real machine behind it)', () => {
    it('boots, is a terminal, and leaves nothing', { timeout: BOOT_MS + BUILD_MS }, async () => {
      const engine = new MicrovmEngine({
        dataDir: await guestDataDir(),
        programs: { firecracker: fakeFirecracker() },
        // The fake needs none.
        needsKvm: false,
      });
      const profile = profileSchema.parse({
        ...{ id: 'test', name: 'Test', engine: 'microvm', command: ['/bin/bash', '--norc', '-i'] },
        environment: { PS1: 'ready$ ' },
        limits: { memoryMiB: 160, cpuPercent: 100 },
        microvm: { monitor: 'firecracker', startupMs: BOOT_MS },
      });
      const spec = { sessionId: 'test', profile, project: null };
      const terminal = await engine.open(spec, SIZE, new AbortController().signal);
      const shell = new SandboxShell(terminal);
      expect(machineFolders()).toHaveLength(2);
      await shell.shows('ready$ ');
      await terminal.resize({ cols: 90, rows: 30 });
      await shell.type('stty size; id -u\r');
      await shell.shows('30 90\r\n65534\r\n');
      await shell.shows('ready$ ');
      await shell.type('exit 7\r');
      expect(await terminal.ended).toEqual({ kind: 'exited', code: 7 });
      expect(await terminal.release()).toMatchObject({ removed: true });
      expect(checkIdentity(terminal.identity as never)).toBe('gone');
      expect(machineFolders()).toEqual([]);
    });
  });

it.skipIf(deviceAccess('/dev/kvm').usable)(
  'Firecracker without KVM is not usable, and says what to do',
  async () => {
    const engine = new MicrovmEngine({ dataDir: folder, programs: { firecracker: fakeFirecracker() } });
    const profile = profileSchema.parse({
      id: 'x',
      name: 'x',
      engine: 'microvm',
      microvm: { monitor: 'firecracker' },
    });
    const status = await engine.probe(profile);
    expect(status).toMatchObject({ usable: false, summary: expect.stringContaining('needs KVM') });
    expect(status.fixes.map(({ command }) => command)).toContain('sudo usermod -aG kvm "$USER"');
  },
);

describe('the API', () => {
  it('a refusal is told with its reason, on one line', async () => {
    const socket = join(folder, 'refusing.sock');
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(400).end(JSON.stringify({ fault_message: 'no such\nkernel' }));
    }).listen(socket);
    const call = callFirecracker({ socket, signal: new AbortController().signal }, '/boot-source', {});
    await expect(call).rejects.toThrow('Firecracker refused /boot-source (400): no such kernel');
    server.close();
  });
});

describe('the vsock', () => {
  it.each([
    ['nothing but noise', 'NO\n'],
    ['an answer without an end', 'O'.repeat(100)],
  ])('%s is refused', async (name, words) => {
    const path = join(folder, `${name.length}.sock`);
    const server = createSocketServer((socket) => socket.write(words)).listen(path);
    await expect(dialVsock({ path, port: 1024, ended: () => false })).rejects.toThrow('instead of OK');
    server.close();
  });

  it('what comes right behind the answer is not lost', async () => {
    const path = join(folder, 'behind.sock');
    const server = createSocketServer((socket) => socket.end('OK 5\nhello 1\n')).listen(path);
    const socket = await dialVsock({ path, port: 1024, ended: () => false });
    expect((await socket.toArray()).join('')).toBe('hello 1\n');
    server.close();
  });

  it('is not waited for once the machine has ended', async () => {
    const dial = dialVsock({ path: join(folder, 'absent.sock'), port: 1024, ended: () => true });
    await expect(dial).rejects.toThrow('Nobody answered on port 1024');
  });
});

/** With the files that say whose they are. */
function machineFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`airlock-vm-`));
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../electron/connection/testing/eventually.ts';
import { thisProcess } from '../electron/sandbox/host-process.ts';
import { makeProcessFolder } from '../electron/sandbox/process-folder.ts';

const BINARY = new URL('./electron-binary.ts', import.meta.url).href;

let folder: string;
let temporary: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airlock-installer-'));
  temporary = mkdtempSync(join(folder, 'tmp-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs an installer that has begun its download, and does not end by itself. */
async function install() {
  const started = join(folder, 'started');
  const installer = join(folder, 'installer.mjs');
  writeFileSync(
    installer,
    `import { renameSync, writeFileSync } from 'node:fs';
    writeFileSync(process.env.TMPDIR + '/electron.zip', 'part');
    writeFileSync('${started}.new', String(process.pid));
    renameSync('${started}.new', '${started}');
    setInterval(() => {}, 1000);`,
  );
  const run = `import { runInstaller } from '${BINARY}'; await runInstaller('${installer}');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', run], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: 'inherit',
  });
  const ended = once(child, 'close');
  return { child, ended, pid: Number(await eventually(() => readFileSync(started, 'utf8'))) };
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a fetch of Electron that %s ends takes its installer and its download along',
  async (signal) => {
    const { child, ended, pid } = await install();
    expect(readdirSync(temporary)).toHaveLength(2);
    child.kill(signal);
    expect(await ended).toEqual([128 + constants.signals[signal], null]);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(readdirSync(temporary)).toEqual([]);
  },
);

it('a fetch of Electron removes what killed ones left, and nothing of one that goes on', async () => {
  const running = await makeProcessFolder(temporary, 'airlock-electron-');
  const killed = await makeProcessFolder(temporary, 'airlock-electron-');
  writeFileSync(`${killed}.host`, JSON.stringify({ ...thisProcess(), startTime: '1' }));
  const { child, ended } = await install();
  expect([running, killed].map((path) => existsSync(path))).toEqual([true, false]);
  child.kill('SIGTERM');
  await ended;
});

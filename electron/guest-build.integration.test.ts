import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from './connection/testing/eventually.ts';
import { thisProcess } from './sandbox/host-process.ts';
import { makeWorkFolder } from './sandbox/microvm/guest/work-folder.ts';
import { CLI } from './server/testing/serve-process.ts';

const here = process.platform === 'linux' && process.arch === 'x64';

let folder: string;
let machines: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airlock-guest-build-'));
  machines = join(folder, 'data/microvm');
  mkdirSync(machines, { recursive: true, mode: 0o700 });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** `airlock guest build` with a download that does not end by itself. */
function build() {
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  writeFileSync(join(programs, 'apt-cache'), '#!/bin/sh\n', { mode: 0o755 });
  const download = `#!/bin/sh\necho $$ > ${folder}/download.new && mv ${folder}/download.new ${folder}/download\nexec sleep 1000\n`;
  writeFileSync(join(programs, 'apt-get'), download, { mode: 0o755 });
  const child = spawn(process.execPath, [CLI, 'guest', 'build', '--data-dir', join(folder, 'data')], {
    env: { ...process.env, PATH: `${programs}:${process.env['PATH']}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return { child, words: text(child.stderr), ended: once(child, 'close') };
}

const downloading = () => eventually(() => readFileSync(join(folder, 'download'), 'utf8').trim());

it.runIf(here).each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a build that %s interrupts leaves nothing, and says so',
  async (signal) => {
    const { child, words, ended } = build();
    const download = await downloading();
    expect(readdirSync(machines)).toHaveLength(2);
    child.kill(signal);
    expect(await ended).toEqual([1, null]);
    expect(await words).toBe('error: no guest was built: it was interrupted\n');
    expect(existsSync(`/proc/${download}`)).toBe(false);
    expect(readdirSync(machines)).toEqual([]);
  },
);

it.runIf(here)('a build removes what killed ones left, and nothing of one that still runs', async () => {
  const running = await makeWorkFolder(machines);
  const killed = await makeWorkFolder(machines);
  mkdirSync(join(killed, 'root'));
  writeFileSync(`${killed}.host`, JSON.stringify({ ...thisProcess(), startTime: '1' }));
  const { child, ended } = build();
  const download = await downloading();
  expect([running, killed].map((path) => existsSync(path))).toEqual([true, false]);
  child.kill('SIGKILL');
  process.kill(Number(download), 'SIGKILL');
  await ended;
});

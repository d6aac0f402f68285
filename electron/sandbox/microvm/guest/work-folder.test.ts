import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { type HostProcess, thisProcess } from '../../host-process.ts';
import { makeWorkFolder } from './work-folder.ts';

it('a build removes what dead builds left, and nothing of one that may run, here or on another machine', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'airlock-work-'));
  try {
    const make = async (host: Partial<HostProcess>) => {
      const path = await makeWorkFolder(parent);
      writeFileSync(`${path}.host`, JSON.stringify({ ...thisProcess(), ...host }));
      return basename(path);
    };
    await make({ startTime: '1' });
    const alive = [await make({}), await make({ machine: 'elsewhere', startTime: '1' })];
    for (const name of ['build-a1B2c3', 'build-7-8-a1B2c3', 'build-young']) mkdirSync(join(parent, name));
    const longAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1_000);
    for (const name of ['build-a1B2c3', 'build-7-8-a1B2c3']) utimesSync(join(parent, name), longAgo, longAgo);
    const own = basename(await makeWorkFolder(parent));
    const kept = [...alive, own].flatMap((name) => [name, `${name}.host`]);
    expect(readdirSync(parent).sort()).toEqual([...kept, 'build-young'].sort());
  } finally {
    rmSync(parent, { recursive: true });
  }
});

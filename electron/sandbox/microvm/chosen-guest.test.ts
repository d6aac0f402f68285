import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { EngineError } from '../engine.ts';
import { thisProcess } from '../host-process.ts';
import { profileOf } from '../testing/sandbox-shell.ts';
import { MicrovmEngine } from './engine.ts';
import { GuestStore } from './guest/store.ts';
import { makeMachineFolder } from './monitor/machine-folder.ts';
import { PROTOCOL } from './protocol.ts';

const here = process.platform === 'linux' && process.arch === 'x64';

it.runIf(here)('the check of a profile refuses what an opening refuses, in the same words', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-refused-'));
  try {
    const monitor = join(folder, 'qemu');
    writeFileSync(monitor, '#!/bin/sh\necho QEMU 7.2.22\n', { mode: 0o755 });
    const engine = new MicrovmEngine({ dataDir: folder, programs: { qemu: monitor } });
    for (const part of [{ scratch: '/' }, { network: 'host' as const }, { command: ['/bin/sh', '\x1b'] }]) {
      const profile = profileOf(['/bin/sh'], { engine: 'microvm', ...part });
      const spec = { sessionId: 'refused', profile, project: null };
      const opening = engine.open(spec, { cols: 80, rows: 24 }, new AbortController().signal);
      const refusal = await opening.catch((error: EngineError) => error);
      expect(refusal).toMatchObject({ tag: 'profile-invalid' });
      const status = await engine.probe(profile);
      // The guest that is missing as well is said first.
      expect(status.usable).toBe(false);
      expect(status.summary).toContain((refusal as EngineError).message);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it.runIf(here)(
  'a guest whose agent is of another version is not used, and how it is built again is said',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'airlock-older-'));
    try {
      const monitor = join(folder, 'qemu');
      writeFileSync(monitor, '#!/bin/sh\necho QEMU 7.2.22\n', { mode: 0o755 });
      const files = { kernel: Buffer.from('kernel'), initramfs: Buffer.from('files') };
      const about = { protocol: PROTOCOL - 1, kernelRelease: '6.1', packages: [] };
      await new GuestStore(folder).publish(files, about);
      const engine = new MicrovmEngine({ dataDir: folder, programs: { qemu: monitor } });
      const status = await engine.probe(profileOf(['/bin/sh'], { engine: 'microvm' }));
      expect(status).toMatchObject({
        usable: false,
        summary: `The guest speaks version ${PROTOCOL - 1} of the agent's protocol, and this Airlock ${PROTOCOL}.`,
        fixes: [{ text: 'Build it again:', command: expect.stringContaining('guest build') }],
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

it.runIf(here).each([
  ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'it is not a regular file'],
  ['nothing', () => {}, 'there is no such file'],
  [
    'more than a disk should hold',
    (path: string) => {
      writeFileSync(path, '');
      truncateSync(path, 2 ** 40);
    },
    'it must have at most',
  ],
])(
  'a kernel or initial file system of a person’s own that is %s holds nothing up',
  async (_, make, words) => {
    const folder = mkdtempSync(join(tmpdir(), 'airlock-chosen-'));
    try {
      const monitor = join(folder, 'qemu');
      writeFileSync(monitor, '#!/bin/sh\necho QEMU 7.2.22\n', { mode: 0o755 });
      const [good, bad] = [join(folder, 'good'), join(folder, 'bad')];
      writeFileSync(good, '');
      make(bad);
      const engine = new MicrovmEngine({ dataDir: folder, programs: { qemu: monitor } });
      for (const field of ['kernel', 'initramfs'] as const) {
        const microvm = { monitor: 'qemu', startupMs: 60_000, lifetimeMs: 60_000 } as const;
        const chosen = { ...microvm, kernel: good, initramfs: good, [field]: bad };
        const profile = profileOf(['/bin/sh'], { engine: 'microvm', microvm: chosen });
        const status = await engine.probe(profile);
        expect(status).toMatchObject({ usable: false, summary: expect.stringContaining(`microvm.${field}`) });
        expect(status.summary).toContain(words);
        const opening = engine.open(
          { sessionId: 'chosen', profile, project: null },
          { cols: 80, rows: 24 },
          new AbortController().signal,
        );
        await expect(opening).rejects.toMatchObject({ tag: 'engine-unavailable' });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

it.runIf(here)(
  'ST-26 the folder of a machine whose host was killed while it booted goes, with the next opening',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'airlock-left-'));
    vi.stubEnv('TMPDIR', folder);
    try {
      const killed = await makeMachineFolder();
      writeFileSync(join(killed, 'v.sock'), '');
      writeFileSync(`${killed}.host`, JSON.stringify({ ...thisProcess(), startTime: '1' }));
      const ours = basename(await makeMachineFolder());
      const engine = new MicrovmEngine({ dataDir: join(folder, 'data') });
      const spec = {
        sessionId: 'next',
        profile: profileOf(['/bin/sh'], { engine: 'microvm' }),
        project: null,
      };
      const opening = engine.open(spec, { cols: 80, rows: 24 }, new AbortController().signal);
      await expect(opening).rejects.toMatchObject({ tag: 'engine-unavailable' });
      expect(readdirSync(folder).sort()).toEqual([ours, `${ours}.host`]);
    } finally {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true });
    }
  },
);

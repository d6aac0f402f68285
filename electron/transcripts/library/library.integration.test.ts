import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TestClient } from '../../connection/testing/test-client.ts';
import { TestHost } from '../../connection/testing/test-host.ts';
import { MemoryEngine, type MemoryTerminal } from '../../session/testing/memory-sandbox.ts';
import { indexPath } from './index/index-file.ts';
import { TranscriptLibrary } from './library.ts';
import { LibraryBench, query } from './testing/library-bench.ts';
import { recordingText } from './testing/recordings.ts';

describe('through a host', () => {
  let engine: MemoryEngine;
  let fixture: TestHost;
  let client: TestClient;

  beforeEach(async () => {
    engine = new MemoryEngine();
    fixture = new TestHost(engine);
    client = await fixture.client();
  });
  afterEach(async () => {
    await fixture.dispose();
    expect(fixture.faults).toEqual([]);
  });

  /** Asks until the answer is that of an index that has come so far. */
  const found = (search: string, count = 1) =>
    vi.waitUntil(
      async () => {
        const listed = await client.request('transcripts.list', { ...query({ search }) });
        return listed.ok && listed.value.total === count ? listed.value : null;
      },
      { timeout: 20_000, interval: 50 },
    );

  const ended = (id: string, how: string) =>
    vi.waitUntil(
      async () => {
        const opened = await client.request('transcripts.open', { id });
        return opened.ok && opened.value.ended.how === how;
      },
      { timeout: 20_000 },
    );

  it('a session is found while it runs, replayed, and deleted when it has ended', async () => {
    const { sessionId: id } = await client.open();
    const terminal = engine.terminals[0] as MemoryTerminal;
    terminal.print('$ grep needle haystack\r\na needle\r\n');
    const { transcripts } = await found('a needle');
    expect(transcripts).toMatchObject([{ id, ended: { how: 'running' }, hits: [{ line: 1 }] }]);
    expect(await client.request('transcripts.delete', { ids: [id] })).toMatchObject({
      ok: false,
      error: { tag: 'transcript-running' },
    });

    terminal.exit({ kind: 'exited', code: 3 });
    await ended(id, 'failure');
    await client.until(() => client.events.some(({ event }) => event === 'transcripts.changed'));
    const read = await client.request('transcripts.read', { id, position: 0 });
    expect(read).toMatchObject({
      ok: true,
      value: { events: expect.arrayContaining([expect.objectContaining({ kind: 'output' })]), next: null },
    });
    expect(await client.request('transcripts.seek', { id, atMs: 0 })).toMatchObject({
      ok: true,
      value: { position: 0, size: { cols: 80, rows: 24 }, screen: '' },
    });

    const folder = join(fixture.dataDir, 'transcripts', id);
    expect(existsSync(folder)).toBe(true);
    expect(await client.request('transcripts.delete', { ids: [id] })).toMatchObject({
      ok: true,
      value: { deleted: 1 },
    });
    expect(existsSync(folder)).toBe(false);
    const recorded = readFileSync(join(fixture.dataDir, 'audit/log.jsonl'), 'utf8').split('\n');
    const ordered = recorded.filter((line) => line.includes('"transcripts.deletion-ordered"'));
    expect(ordered).toEqual([expect.stringContaining(id)]);
    await found('a needle', 0);
    expect(await client.request('transcripts.open', { id })).toMatchObject({
      ok: false,
      error: { tag: 'transcript-unknown' },
    });
  });

  it('nothing is deleted that cannot be recorded', async () => {
    const { sessionId: id } = await client.open();
    (engine.terminals[0] as MemoryTerminal).exit({ kind: 'exited', code: 0 });
    await ended(id, 'success');
    const governed = await fixture.host.governed;
    await governed.audit.close();
    expect(await client.request('transcripts.delete', { ids: [id] })).toMatchObject({
      ok: false,
      error: { tag: 'transcripts-unavailable' },
    });
    expect(existsSync(join(fixture.dataDir, 'transcripts', id))).toBe(true);
  });

  it('answers after its index was deleted', async () => {
    await client.open();
    (engine.terminals[0] as MemoryTerminal).print('still here\r\n');
    await found('still here');
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(indexPath(join(fixture.dataDir, 'transcripts')) + suffix, { force: true });
    await found('still here');
  });
});

describe('two hosts with one data folder', () => {
  it('one of them indexes, and both find', async () => {
    const bench = new LibraryBench();
    const faults: string[] = [];
    const open = () =>
      new TranscriptLibrary({
        folder: bench.folder,
        log: { append: async () => {} },
        fault: (message) => faults.push(message),
      });
    bench.add(['a needle\r\n']);
    const libraries = [open(), open()];
    try {
      for (const library of libraries)
        await vi.waitUntil(
          async () => {
            const listed = await library.list(query({ search: 'needle' }));
            return listed.ok && listed.value.total === 1;
          },
          { timeout: 20_000 },
        );
      expect(faults).toEqual([]);
    } finally {
      await Promise.all(libraries.map((library) => library.close()));
      bench.dispose();
    }
  });
});

describe('kill -9 while indexing', () => {
  it('loses nothing: the next host goes on', async () => {
    const bench = new LibraryBench();
    const lines = Array.from({ length: 200_000 }, (_, n) => `${n} of many lines that are indexed\r\n`);
    const id = bench.add(Array.from({ length: 400 }, (_, n) => lines.slice(n * 500, n * 500 + 500).join('')));
    const program = new URL('./testing/index-and-die.ts', import.meta.url).pathname;
    const dying = spawn(process.execPath, [program, bench.folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(dying.stdout, 'data');
    dying.kill('SIGKILL');
    await once(dying, 'exit');
    const before = bench.open().open(id);
    expect(before?.indexed).toBeLessThan(1);
    const catalogue = await bench.indexed();
    expect(catalogue.open(id)).toMatchObject({ indexed: 1, textLines: 200_000 });
    for (const n of [7, 100_000, 199_999])
      expect(catalogue.find(id, `${n} of many`)?.hits.map(({ line }) => line)).toContain(n);
    expect(bench.faults).toEqual([]);
    bench.dispose();
  });
});

describe('on a full disk', () => {
  it('says so and what to do, and lists everything when there is room again', async ({ skip }) => {
    const disk = mkdtempSync(join(tmpdir(), 'airlock-full-'));
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]);
    if (mounted.status !== 0) skip('needs the right to mount a small tmpfs');
    const faults: string[] = [];
    const library = new TranscriptLibrary({
      folder: join(disk, 'transcripts'),
      log: { append: async () => {} },
      fault: (message) => faults.push(message),
    });
    try {
      const id = randomUUID();
      mkdirSync(join(disk, 'transcripts', id), { recursive: true });
      writeFileSync(join(disk, 'transcripts', id, '0001.cast'), recordingText(id, ['a needle\r\n'], {}));
      spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filler')}`]);
      expect(await library.list(query())).toMatchObject({
        ok: false,
        error: {
          tag: 'transcripts-unavailable',
          message: expect.stringMatching(
            /^The transcripts cannot be read now: The disk is full, .* Free some space, .* recordings are not touched/,
          ),
        },
      });
      rmSync(join(disk, 'filler'));
      await vi.waitFor(
        async () =>
          expect(await library.list(query({ search: 'needle' }))).toMatchObject({ value: { total: 1 } }),
        {
          timeout: 20_000,
        },
      );
      expect(faults.join()).toMatch(/full/);
    } finally {
      await library.close();
      spawnSync('umount', [disk]);
      rmSync(disk, { recursive: true });
    }
  }, 40_000);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Publication } from '../../shared/governed/receipt.ts';
import { verifyAudit } from '../audit/verify-audit.ts';
import { AUTHORITY, approvedFile, Workbench } from './testing/workbench.ts';

const PROGRAM = new URL('./testing/publish-and-stop.ts', import.meta.url).pathname;
const CONTENT = 'a,1\n';

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench();
  mkdirSync(bench.path('out'));
  writeFileSync(bench.path('out/result'), CONTENT);
});
afterEach(() => bench.end());

/** A process that publishes, killed at `step`; then the next start. */
async function crashAt(step: string, kind: 'governed' | 'shell'): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, bench.dataDir, bench.project, step, kind], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  expect(line).toBe(step);
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const target = () => bench.path('data/report.csv');
const candidates = () =>
  readdirSync(bench.path('data')).filter((name) => name.startsWith('.airlock-publish-'));

interface Expected {
  /** What has the target's name. */
  readonly published: boolean;
  readonly candidate: boolean;
  readonly listed: Partial<Extract<Publication, { state: 'failed' }>> | 'published' | null;
  readonly says: RegExp;
}

const NOTHING = { published: false, candidate: false };
/** After the kill, by step; `says` is what the listed reason tells. */
const EXPECTED: Record<string, Expected> = {
  'seal-recorded': { ...NOTHING, listed: { state: 'failed' }, says: /Nothing was published\.$/ },
  'candidate-created': {
    published: false,
    candidate: true,
    listed: { state: 'failed' },
    says: /Nothing was published. An unfinished copy was left: .*\.airlock-publish-/,
  },
  'candidate-written': {
    published: false,
    candidate: true,
    listed: { state: 'failed' },
    says: /Nothing was published. An unfinished copy was left: .*\.airlock-publish-/,
  },
  prepared: {
    published: false,
    candidate: true,
    listed: { state: 'failed', recovery: 'ready_to_publish' },
    says: /before it published .*report\.csv\. A private copy was left/,
  },
  checked: {
    published: false,
    candidate: true,
    listed: { state: 'failed', recovery: 'ready_to_publish' },
    says: /before it published .*report\.csv\. A private copy was left/,
  },
  linked: {
    published: true,
    candidate: true,
    listed: { state: 'failed', recovery: 'published' },
    says: /after it published .* before it wrote the receipt\. A private copy was left/,
  },
  unlinked: {
    published: true,
    candidate: false,
    listed: { state: 'failed', recovery: 'published' },
    says: /after it published .* before it wrote the receipt\.$/,
  },
  synced: {
    published: true,
    candidate: false,
    listed: { state: 'failed', recovery: 'published' },
    says: /after it published .* before it wrote the receipt\.$/,
  },
  finished: { published: true, candidate: false, listed: 'published', says: /^$/ },
};

describe.each(['governed', 'shell'] as const)('F10 SIGKILL while a %s file is published', (kind) => {
  it.each(Object.entries(EXPECTED))(
    'at %s: nothing is half published, the next start says what happened',
    async (step, expected) => {
      await crashAt(step, kind);
      await bench.start();

      expect(existsSync(target())).toBe(expected.published);
      if (expected.published) expect(readFileSync(target(), 'utf8')).toBe(CONTENT);
      // Reported, never removed and never used by itself.
      expect(candidates()).toHaveLength(expected.candidate ? 1 : 0);

      const [listed, ...others] = bench.store.list();
      expect(others).toEqual([]);
      if (expected.listed === 'published') {
        expect(listed).toMatchObject({ state: 'published', receipt: { destination: target() } });
        expect(readdirSync(join(bench.dataDir, 'sealed'))).toEqual([]);
      } else {
        if (listed?.state !== 'failed') return expect.fail('the failure is not listed');
        expect(listed).toMatchObject(expected.listed ?? {});
        expect(listed.recovery).toBe(expected.listed?.recovery);
        expect(listed.reason).toMatch(expected.says);
        expect(readFileSync(listed.kept, 'utf8')).toBe(CONTENT);
        expect(bench.store.recovery.interrupted).toEqual([listed.id]);
        if (listed.recovery !== 'published') {
          const again = bench.path('data/again.csv');
          const authority = await approvedFile(bench.audit, listed, again);
          const receipt = await bench.store.retry(listed.id, again, authority);
          expect(readFileSync(receipt.destination, 'utf8')).toBe(CONTENT);
          // Whoever retries has dealt with the interrupted one: its private copy goes. One without intent has no proof.
          expect(candidates()).toHaveLength(expected.candidate && listed.recovery === undefined ? 1 : 0);
        }
      }
      expect(readdirSync(join(bench.dataDir, 'staging'))).toEqual([]);
      expect(await verifyAudit(bench.dataDir)).toMatchObject({ ok: true });

      // A second start changes nothing and says nothing new.
      const before = bench.store.list();
      await bench.restart();
      expect(bench.store.list()).toEqual(before);
      expect(bench.store.recovery).toEqual({ interrupted: [], stagingsRemoved: 0, problems: [] });
    },
  );

  it('at sealed: the sealed file has no record, stays, and is reported', async () => {
    await crashAt('sealed', kind);
    await bench.start();
    const [name] = readdirSync(join(bench.dataDir, 'sealed'));
    expect(bench.store.recovery.problems.join()).toContain(join(bench.dataDir, 'sealed', name as string));
    expect([existsSync(target()), bench.store.list()]).toEqual([false, []]);
  });
});

describe('F10 the next start after a crash with the intent recorded', () => {
  it.each<[string, () => void, string]>([
    ['a competitor made the target', () => bench.write('data/report.csv', 'theirs'), 'conflict'],
    ['a competitor made the same content', () => bench.write('data/report.csv', CONTENT), 'conflict'],
    [
      'the candidate was changed',
      () => writeFileSync(bench.path(`data/${candidates()[0]}`), 'b,2\n'),
      'conflict',
    ],
    ['the candidate is gone', () => removeCandidate(), 'missing'],
    ['the folder is another one', () => swapFolder(), 'conflict'],
    ['the folder is gone', () => moveFolder(), 'missing'],
  ])('%s: %s', async (_, change, state) => {
    await crashAt('checked', 'governed');
    change();
    await bench.start();
    const [listed] = bench.store.list();
    if (listed?.state !== 'failed') return expect.fail('the failure is not listed');
    expect(listed.recovery).toBe(state);
    // Whatever became of the folder, the sealed file is kept and can be published elsewhere.
    await bench.store.retry(listed.id, bench.path('again.csv'), AUTHORITY);
    expect(readFileSync(bench.path('again.csv'), 'utf8')).toBe(CONTENT);
  });
});

it('F10 the private copy that a crash left is named until the file is published, and gone then, whatever was refused meanwhile', async () => {
  await crashAt('checked', 'governed');
  await bench.start();
  const [listed] = bench.store.list();
  if (listed?.state !== 'failed') return expect.fail('the failure is not listed');
  const left = `A private copy was left: ${bench.path(`data/${candidates()[0]}`)}`;
  expect(listed.reason).toContain(left);
  const taken = bench.path('data/taken.csv');
  const retried = bench.store.retry(listed.id, taken, {
    ...(await approvedFile(bench.audit, listed, taken)),
    stillHolds: () => Boolean(bench.write('data/taken.csv', 'theirs')),
  });
  await expect(retried).rejects.toMatchObject({ rule: 'F9' });
  expect(bench.store.list()).toMatchObject([{ reason: expect.stringContaining(left) }]);
  await bench.restart();
  expect(bench.store.list()).toMatchObject([{ reason: expect.stringContaining(left) }]);
  await bench.store.retry(listed.id, bench.path('data/again.csv'), AUTHORITY);
  expect(candidates()).toEqual([]);
});

it('F10 one that was published before the crash is not published again, and the file stays', async () => {
  await crashAt('linked', 'governed');
  await bench.start();
  const [listed] = bench.store.list();
  if (listed?.state !== 'failed') return expect.fail('the failure is not listed');
  await expect(bench.store.retry(listed.id, bench.path('data/x'), AUTHORITY)).rejects.toMatchObject({
    rule: 'F10',
  });
  expect(existsSync(listed.kept)).toBe(true);
  expect(readFileSync(target(), 'utf8')).toBe(CONTENT);
});

it('F6 SIGKILL before anything was sealed: the staged file is removed, and that is recorded', async () => {
  await crashAt('staged', 'governed');
  await bench.start();
  expect(bench.store.recovery).toEqual({ interrupted: [], stagingsRemoved: 1, problems: [] });
  const events = [];
  for await (const { event } of bench.audit.entries()) events.push(event);
  expect(events).toContain('staging.cleared');
});

const { renameSync, rmSync } = await import('node:fs');
const removeCandidate = () => rmSync(bench.path(`data/${candidates()[0]}`));
const moveFolder = () => renameSync(bench.path('data'), bench.path('moved'));
const swapFolder = () => {
  moveFolder();
  mkdirSync(bench.path('data'));
};

import { describe, expect, it } from 'vitest';
import { FOLDER_TARGETS } from '../../shared/terminal/inside.ts';
import type { SandboxPosture } from '../../shared/terminal/posture.ts';
import { engineWords, postureFacts, postureRows, postureSentence } from './posture-words.ts';

const closed: SandboxPosture = {
  engine: 'bubblewrap',
  engineVersion: '0.8.0',
  network: 'none',
  mounts: [],
  user: 'u (1000)',
  limits: {
    memoryBytes: 1024 ** 3,
    processes: 256,
    openFiles: 1024,
    cpuPercent: 200,
    homeBytes: 64 * 1024 ** 2,
    tmpBytes: 64 * 1024 ** 2,
    enforcedBy: 'cgroup v1',
  },
  recorded: false,
};

const project = { source: '/home/u/api', target: FOLDER_TARGETS.project, access: 'read-only' } as const;
const scratch = { source: '/home/u/out', target: FOLDER_TARGETS.scratch, access: 'read-write' } as const;

describe('postureFacts', () => {
  it('says reach first, then files, then bounds', () => {
    expect(postureSentence(closed)).toBe(
      'No network · none of your files · 1 GiB · 256 processes · 2 cores · not recorded',
    );
  });

  it('puts what is dangerous before what is not, and marks it', () => {
    const facts = postureFacts({ ...closed, network: 'host', mounts: [project, scratch] });
    expect(facts.slice(0, 3).map(({ text, tone }) => [text, tone])).toEqual([
      ['network on', 'attention'],
      ['scratch writable', 'attention'],
      ['project read-only', 'plain'],
    ]);
    expect(facts.map((fact) => fact.text)).not.toContain('none of your files');
  });

  it('never leaves the unknown out', () => {
    expect(postureFacts({ ...closed, network: 'unknown' })[0]).toMatchObject({
      text: 'network unknown',
      tone: 'attention',
    });
  });

  it('says of /out that nothing bounds it, and nothing where there is none', () => {
    const outOf = (limits: object) =>
      postureRows({ ...closed, limits: { ...closed.limits, ...limits } }).find(({ term }) => term === '/out');
    expect(outOf({})).toBeUndefined();
    expect(outOf({ outBytes: null })?.value).toBe('nothing bounds it');
    expect(outOf({ outBytes: 1024 ** 2 })?.value).toBe('1 MiB, for files to publish');
  });

  it('says that files are unknown where they are, beside those that are known', () => {
    const texts = postureFacts({ ...closed, filesUnknown: true }).map(({ text }) => text);
    expect(texts).toContain('files unknown');
    expect(texts).not.toContain('none of your files');
    const rows = postureRows({ ...closed, mounts: [project], filesUnknown: true });
    expect(rows.filter(({ term }) => term === 'Project' || term === 'Files').map(({ tone }) => tone)).toEqual(
      ['plain', 'attention'],
    );
    expect(rows.map(({ term }) => term)).not.toContain('Your files');
  });

  it('says what nothing bounds', () => {
    const limits = { ...closed.limits, memoryBytes: null, processes: null, cpuPercent: null };
    const unbounded = ['memory', 'processes', 'CPU'].map((what) => `${what} unbounded`);
    const facts = postureFacts({ ...closed, limits }).filter(({ tone }) => tone === 'attention');
    expect(facts.map(({ text }) => text)).toEqual(unbounded);
    const rows = postureRows({ ...closed, limits }).filter(({ tone }) => tone === 'attention');
    expect(rows.map(({ term }) => term)).toEqual(['Memory', 'Processes', 'CPU']);
  });

  it('says what is not known to be bounded, and does not call it unbounded', () => {
    const limits = { ...closed.limits, cpuPercent: 'unknown', openFiles: 'unknown' } as const;
    const facts = postureFacts({ ...closed, limits }).filter(({ tone }) => tone === 'attention');
    expect(facts.map(({ text }) => text)).toEqual(['CPU unknown']);
    const rows = postureRows({ ...closed, limits }).filter(({ tone }) => tone === 'attention');
    expect(rows.map(({ term, value }) => [term, value])).toEqual([
      ['Open files', 'unknown, the engine cannot tell'],
      ['CPU', 'unknown, the engine cannot tell'],
    ]);
  });

  it('has an id for each fact that is not used twice', () => {
    const ids = postureFacts({ ...closed, mounts: [project, scratch] }).map((fact) => fact.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says whether it is recorded', () => {
    expect(postureSentence({ ...closed, recorded: true })).toMatch(/· recorded$/);
    const stopped = { ...closed, recordingStopped: 'The disk is full.' };
    expect(postureSentence(stopped)).toMatch(/· no longer recorded$/);
    expect(postureRows(stopped).at(-1)).toMatchObject({
      value: 'no longer recorded. The disk is full.',
      tone: 'attention',
    });
  });
});

describe('postureRows', () => {
  it('gives the folder of this machine literally', () => {
    expect(postureRows({ ...closed, mounts: [project] })).toContainEqual({
      term: 'Project',
      value: `read-only at ${FOLDER_TARGETS.project}`,
      literal: '/home/u/api',
      tone: 'plain',
    });
  });

  it('F6 says how large a file of a governed program may be, and nothing of it for a shell', () => {
    const limits = { ...closed.limits, fileBytes: 256 * 1024 };
    expect(postureRows({ ...closed, limits })).toContainEqual({
      term: 'Each file',
      value: 'at most 256 KiB',
      tone: 'plain',
    });
    expect(postureRows(closed).map(({ term }) => term)).not.toContain('Each file');
  });

  it('accounts for every limit and for who enforces it', () => {
    const rows = postureRows({ ...closed, limits: { ...closed.limits, cpuPercent: 50, tmpBytes: null } });
    const words = Object.fromEntries(rows.map((row) => [row.term, row.value]));
    expect(words).toMatchObject({
      Engine: 'bubblewrap 0.8.0',
      Network: 'none, only its own loopback',
      'Your files': 'none',
      User: 'u (1000)',
      Memory: '1 GiB',
      CPU: '50% of a core',
      '/tmp': 'nothing bounds it',
      'Enforced by': 'cgroup v1',
      Transcript: 'not recorded',
    });
  });
});

describe('the words for an engine', () => {
  it.each([
    ['bubblewrap', '0.8.0', 'bubblewrap 0.8.0'],
    ['Docker, attached to db', '20.10.24', 'Docker 20.10.24, attached to db'],
    ['QEMU microvm, emulated (TCG)', '7.2, Linux 6.1', 'QEMU microvm 7.2, Linux 6.1, emulated (TCG)'],
    ['smolvm', '', 'smolvm'],
  ])('put the version with the product: %s', (engine, engineVersion, words) => {
    expect(engineWords({ ...closed, engine, engineVersion })).toBe(words);
  });
});

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FilePlan } from '../governed/ports.ts';
import { type Filesystem, grantPaths } from './grant-paths.ts';
import { filesystemOf, outputOf, Workbench } from './testing/workbench.ts';

let bench: Workbench;
beforeEach(async () => {
  bench = await new Workbench().start();
});
afterEach(() => bench.end());

const MIB = 1024 * 1024;
const plans: FilePlan[] = [];
afterEach(() => {
  for (const plan of plans.splice(0)) plan.close();
});

async function prepare(filesystem: Partial<Filesystem>, args: Record<string, string> = {}) {
  const plan = await bench.prepare(filesystem, args);
  plans.push(plan);
  return plan;
}

const refusal = (filesystem: Partial<Filesystem>, args = {}) =>
  prepare(filesystem, args).then(
    () => null,
    (error) => ({ rule: error.rule, text: error.message }),
  );

describe('F1 paths', () => {
  const NORMALIZED = 'filesystem grants require normalized relative file paths';
  it.each([
    '',
    '/x',
    '../x',
    'a/../b',
    'a//b',
    './x',
    'a/.',
    'a/',
    'C:x',
    'a\\b',
    'a,b',
    'a{b',
    'dir/{name}',
    '{a}{b}',
    'a\0b',
    'a\nb',
    'a\rb',
    '..',
    '.',
    `${'a/'.repeat(2048)}b`,
  ])('refuses %j', async (path) => {
    expect(await refusal({ read: [path] })).toEqual({ rule: 'F1', text: NORMALIZED });
    expect(await refusal({ create: path })).toEqual({ rule: 'F1', text: NORMALIZED });
  });

  it.each(['../x', '/etc/passwd', '', '{other}'])('refuses the argument value %j', async (value) => {
    expect(await refusal({ read: ['{input}'] }, { input: value, other: 'x' })).toEqual({
      rule: 'F1',
      text: NORMALIZED,
    });
  });

  it.each([{}, Object.create({ input: 'inherited' }) as Record<string, string>])(
    'names an argument that the command does not have: %#',
    async (args) => {
      expect(await refusal({ read: ['{input}'] }, args)).toEqual({
        rule: 'F1',
        text: 'missing filesystem argument input',
      });
    },
  );

  it('an argument is a whole entry, and 4096 bytes are allowed', () => {
    const long = `${'a/'.repeat(2047)}bc`;
    const paths = grantPaths(filesystemOf({ read: ['{in}', long], create: '{out}' }), {
      in: 'a b/ü',
      out: 'o',
    });
    expect(paths).toEqual({ read: ['a b/ü', long], create: 'o', maxFileBytes: 1024 });
  });

  it.each([
    [{ read: ['a', 'a'] }, {}],
    [{ read: ['a'], create: 'a' }, {}],
    [{ read: ['{x}', '{y}'] }, { x: 'a', y: 'a' }],
  ])('refuses a path that is granted twice: %j', async (filesystem, args) => {
    expect(await refusal(filesystem, args)).toEqual({ rule: 'F1', text: 'duplicate filesystem grant' });
  });

  it.each([
    { read: Array.from({ length: 33 }, (_, i) => `f${i}`) },
    { maxFileBytes: 0 },
    { maxFileBytes: 16 * MIB + 1 },
    { maxFileBytes: 1.5 },
  ])('refuses more than its bounds: %#', async (filesystem) => {
    expect(await refusal(filesystem)).toEqual({
      rule: 'F1',
      text: 'filesystem permits at most 32 inputs, one new output and 1–16777216 bytes per file',
    });
  });
});

describe('F2 ceilings and control paths', () => {
  const OUTSIDE = { rule: 'F2', text: 'filesystem path is outside configured mount ceilings' };

  it.each([
    'tools/x.toml',
    'policies/a.cedar',
    'agents/a',
    'scope/scope.toml',
    '.git/config',
    'sub/.git/config',
    '.symbiont/x',
    'symbi.toml',
    'sub/symbi.quick.toml',
    'toolclad.toml',
    'other/t.clad.toml',
    'TOOLS/x',
    '.Git/x',
  ])('does not expose %s', async (path) => {
    bench.write(path, 'x');
    for (const filesystem of [{ read: [path] }, { create: `${path}` }])
      expect(await refusal(filesystem)).toEqual({
        rule: 'F2',
        text: `filesystem grants cannot expose the project control path ${path}`,
      });
  });

  it('a folder further down may be called tools', async () => {
    bench.write('src/tools/x', 'x');
    expect(await refusal({ read: ['src/tools/x'] })).toBeNull();
  });

  it.each(['missing', 'file'])('a root that is not a folder (%s) is no ceiling', async (name) => {
    bench.write('file', 'x');
    const prepared = bench.grants.prepare(filesystemOf({ read: ['x'] }), {}, bench.path(name));
    await expect(prepared).rejects.toMatchObject({ rule: 'F2', message: OUTSIDE.text });
  });

  it('exposes nothing of the data folder, from wherever the root is', async () => {
    const grants = (root: string, path: string) =>
      bench.grants
        .prepare(filesystemOf({ read: [path] }), {}, root)
        .catch(({ rule, message }) => ({ rule, text: message }));
    expect(await grants(bench.base, 'data/audit/key.json')).toEqual(OUTSIDE);
    expect(await grants(bench.dataDir, 'audit/key.json')).toEqual(OUTSIDE);
    expect(await grants(join(bench.dataDir, 'audit'), 'key.json')).toEqual(OUTSIDE);
    const output = bench.grants.prepare(filesystemOf({ create: 'data/audit/new' }), {}, bench.base);
    await expect(output).rejects.toMatchObject({ rule: 'F2', message: OUTSIDE.text });
  });
});

describe('F3 inputs', () => {
  const CANNOT_OPEN = 'cannot open declared input';
  const NOT_PLAIN = 'input must be a bounded regular file without hard links';

  it.each<[string, string, () => void]>([
    ['nothing', CANNOT_OPEN, () => {}],
    ['a link to a file', CANNOT_OPEN, () => symlinkSync(bench.write('real', 'x'), bench.path('in/put'))],
    ['a link that leads nowhere', CANNOT_OPEN, () => symlinkSync('nowhere', bench.path('in/put'))],
    [
      'a link on the way',
      CANNOT_OPEN,
      () => {
        bench.write('other/put', 'x');
        rmSync(bench.path('in'), { recursive: true });
        symlinkSync('other', bench.path('in'));
      },
    ],
    [
      'a file on the way',
      CANNOT_OPEN,
      () => {
        rmSync(bench.path('in'), { recursive: true });
        bench.write('in', 'x');
      },
    ],
    ['a folder', NOT_PLAIN, () => mkdirSync(bench.path('in/put'))],
    ['a hard link', NOT_PLAIN, () => linkSync(bench.write('real', 'x'), bench.path('in/put'))],
    ['a pipe', NOT_PLAIN, () => void execFileSync('mkfifo', [bench.path('in/put')])],
    ['a file that is too large', NOT_PLAIN, () => bench.write('in/put', Buffer.alloc(1025))],
    ['a huge sparse file', NOT_PLAIN, () => truncateSync(bench.write('in/put', ''), 2 ** 40)],
  ])('refuses %s', async (_, text, make) => {
    mkdirSync(bench.path('in'), { recursive: true });
    make();
    expect(await refusal({ read: ['in/put'] })).toEqual({ rule: 'F3', text: `${text}: in/put` });
  });

  it('reads all inputs together up to 32 MiB', async () => {
    for (const name of ['a', 'b', 'c']) truncateSync(bench.write(name, ''), 16 * MIB);
    truncateSync(bench.path('c'), 1);
    const maxFileBytes = 16 * MIB;
    expect(await refusal({ read: ['a', 'b'], maxFileBytes })).toBeNull();
    expect(await refusal({ read: ['a', 'b', 'c'], maxFileBytes })).toEqual({
      rule: 'F3',
      text: 'filesystem input snapshot exceeds its byte budget: c',
    });
  });

  it('stages the bytes that were read, whatever became of the file', async () => {
    bench.write('data/rates.csv', 'a,1\n');
    const plan = await prepare({ read: ['data/rates.csv'] });
    writeFileSync(bench.path('data/rates.csv'), 'changed');
    const staging = await plan.stage();
    expect(staging.mounts).toEqual([
      { source: expect.any(String), target: 'data/rates.csv', access: 'read-only' },
    ]);
    expect(readFileSync(staging.mounts[0]?.source as string, 'utf8')).toBe('a,1\n');
    await staging.discard();
  });

  it('an input that never stops growing is refused or read as one moment', async () => {
    const path = bench.write('growing', 'x'.repeat(700));
    let stop = false;
    const grow = (async () => {
      for (let i = 0; !stop && i < 5000; i++) {
        appendFileSync(path, 'x');
        await new Promise(setImmediate);
      }
    })();
    const results = [];
    for (let i = 0; i < 50; i++) results.push(await refusal({ read: ['growing'], maxFileBytes: 16 * MIB }));
    stop = true;
    await grow;
    const texts = new Set(results.map((result) => result?.text ?? 'read'));
    texts.delete('read');
    expect([...texts]).toEqual(texts.size === 0 ? [] : ['declared input changed while it was read: growing']);
  });
});

describe('F4 output', () => {
  const EXISTS = { rule: 'F4', text: 'filesystem output already exists; overwriting is forbidden' };
  const NO_PARENT = { rule: 'F4', text: 'cannot open the parent directory of the declared output' };

  it.each<[string, () => void]>([
    ['a file', () => bench.write('data/out', 'x')],
    ['an empty file', () => bench.write('data/out', '')],
    ['a folder', () => mkdirSync(bench.path('data/out'))],
    ['a link to a folder', () => symlinkSync('.', bench.path('data/out'))],
    ['a link that leads nowhere', () => symlinkSync('nowhere', bench.path('data/out'))],
    ['a pipe', () => void execFileSync('mkfifo', [bench.path('data/out')])],
  ])('must be absent: %s', async (_, make) => {
    make();
    expect(await refusal({ create: 'data/out' })).toEqual(EXISTS);
  });

  it.each<[string, () => void]>([
    ['is missing', () => {}],
    ['is a link', () => symlinkSync('data', bench.path('there'))],
    ['is a file', () => bench.write('there', 'x')],
  ])('its parent must be a folder: it %s', async (_, make) => {
    make();
    expect(await refusal({ create: 'there/out' })).toEqual(NO_PARENT);
  });

  it.each(['CON', 'nul.txt', 'out ', 'out.', 'a\tb', '\u0085', '.airlock-publish-x', 'x'.repeat(256)])(
    'B25 refuses the name %j',
    async (name) => {
      expect((await refusal({ create: `data/${name}` }))?.rule).toBe('F4');
    },
  );
});

describe('F5 descriptor', () => {
  it('says what is granted, and holds no contents', async () => {
    bench.write('data/rates.csv', 'a,1\n');
    const plan = await prepare(
      { read: ['data/rates.csv'], create: '{out}', maxFileBytes: 9 },
      { out: 'data/o' },
    );
    const { dev, ino } = statSync(bench.path('data'), { bigint: true });
    expect(plan.descriptor).toEqual({
      read: [
        { path: 'data/rates.csv', bytes: 4, sha256: createHash('sha256').update('a,1\n').digest('hex') },
      ],
      create: ['data/o'],
      max_file_bytes: 9,
      input_snapshots: true,
      overwrite: false,
      output_parent_identity: [String(dev), String(ino)],
    });
  });

  it('has no parent without an output', async () => {
    expect((await prepare({})).descriptor).toMatchObject({
      read: [],
      create: [],
      output_parent_identity: null,
    });
  });
});

describe('F6 staging', () => {
  const mode = (path: string) => statSync(path).mode & 0o777;

  it('holds inputs 0444 and one empty output 0666 in a private folder', async () => {
    bench.write('in', 'x');
    const staging = await (await prepare({ read: ['in'], create: 'data/out' })).stage();
    const [input, output] = staging.mounts.map(({ source }) => source);
    expect([input, output].map((path) => mode(path as string))).toEqual([0o444, 0o666]);
    expect(mode(join(output as string, '..'))).toBe(0o700);
    expect(await staging.stagedBytes()).toBe(0);
    appendFileSync(output as string, 'abc');
    expect(await staging.stagedBytes()).toBe(3);
    await staging.discard();
    await staging.discard();
    expect(() => statSync(output as string)).toThrow('ENOENT');
    expect(await staging.stagedBytes()).toBeNull();
  });

  it('holds 16 stagings, and one more when one is discarded', async () => {
    const plan = await prepare({ create: 'data/out' });
    const stagings = await Promise.all(Array.from({ length: 16 }, () => plan.stage()));
    await expect(plan.stage()).rejects.toMatchObject({
      rule: 'F6',
      message: 'shared staging capacity exhausted',
    });
    await stagings[0]?.discard();
    stagings[0] = await plan.stage();
    for (const staging of stagings) await staging.discard();
  });

  it('is removed by the next start, which records it', async () => {
    const staging = await (await prepare({ create: 'data/out' })).stage();
    await bench.restart();
    expect(bench.store.recovery).toMatchObject({ stagingsRemoved: 1, problems: [] });
    expect(() => statSync(outputOf(staging))).toThrow('ENOENT');
    await staging.discard();
  });

  it('stays good when the plan is closed', async () => {
    const plan = await bench.prepare({ create: 'data/out' });
    const staging = await plan.stage();
    plan.close();
    renameSync(outputOf(staging), outputOf(staging));
    expect(await staging.stagedBytes()).toBe(0);
    await staging.discard();
  });
});

describe('F12 a changed grant changes the descriptor', () => {
  it.each<[string, () => void, Partial<Filesystem>]>([
    ['the content of an input', () => bench.write('in', 'y'), {}],
    ['the size of an input', () => bench.write('in', 'xx'), {}],
    ['the inputs', () => bench.write('in2', 'x'), { read: ['in', 'in2'] }],
    ['the output', () => {}, { create: 'data/other' }],
    ['the bound', () => {}, { maxFileBytes: 1023 }],
    [
      'the folder of the output',
      () => {
        renameSync(bench.path('data'), bench.path('data2'));
        mkdirSync(bench.path('data'));
      },
      {},
    ],
  ])('%s', async (_, change, filesystem) => {
    bench.write('in', 'x');
    const before = await prepare({ read: ['in'], create: 'data/out' });
    const same = await prepare({ read: ['in'], create: 'data/out' });
    expect(same.descriptor).toEqual(before.descriptor);
    change();
    const after = await prepare({ read: ['in'], create: 'data/out', ...filesystem });
    expect(after.descriptor).not.toEqual(before.descriptor);
  });
});

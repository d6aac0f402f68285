import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { ManifestChecker } from './checking/manifest-checker.ts';
import { joinFolders } from './join-folders.ts';
import { type ManifestFolder, readManifestFolder } from './manifest-folder.ts';
import { changed, VALID } from './testing/manifest-text.ts';

const checker = new ManifestChecker();
afterAll(() => checker.dispose());

let root: string;
let tools: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'airlock-manifests-'));
  tools = join(root, 'tools');
  mkdirSync(tools);
});
afterEach(() => rmSync(root, { recursive: true }));

const put = (name: string, text: string | Buffer) => writeFileSync(join(tools, name), text);
const named = (name: string) => changed('"writer"', `"${name}"`);

async function load(...more: ManifestFolder[]) {
  const folders: ManifestFolder[] = [{ path: tools, origin: 'user' }, ...more];
  const catalog = joinFolders(
    await Promise.all(folders.map((folder) => readManifestFolder(folder, checker))),
  );
  return {
    ...catalog,
    names: catalog.manifests.map((loaded) => loaded.manifest.name),
    messages: catalog.problems.map(({ file, message }) => `${file.slice(root.length + 1)}: ${message}`),
  };
}

test('M1 only *.clad.toml directly in the folder; one bad file never hides the others', async () => {
  put('a.clad.toml', named('a'));
  put('b.clad.toml', 'nonsense');
  put('b2.clad.toml', `x${'.x'.repeat(3000)} = 1`);
  put('c.clad.toml', named('c'));
  put('d.toml', named('d'));
  mkdirSync(join(tools, 'sub'));
  put('sub/e.clad.toml', named('e'));
  const { names, messages, manifests } = await load();
  expect(names).toEqual(['a', 'c']);
  expect(messages).toEqual([
    expect.stringMatching(/^tools\/b\.clad\.toml: invalid TOML/),
    expect.stringMatching(/^tools\/b2\.clad\.toml: .* at most 32 deep/),
  ]);
  expect(manifests[0]).toMatchObject({ file: join(tools, 'a.clad.toml'), origin: 'user', warnings: [] });
  expect(manifests[0]?.digest).toMatch(/^[0-9a-f]{64}$/);
});

test('M1 the same tool.name twice is a problem that names both files', async () => {
  put('a.clad.toml', VALID);
  put('b.clad.toml', VALID);
  const { manifests, problems } = await load();
  expect(manifests.map(({ file }) => file)).toEqual([join(tools, 'a.clad.toml')]);
  expect(problems).toEqual([
    {
      file: join(tools, 'b.clad.toml'),
      line: null,
      key: 'tool.name',
      message: `writer is already the name in ${join(tools, 'a.clad.toml')}; ${join(tools, 'b.clad.toml')} is not used`,
    },
  ]);
});

test('M1 the user wins over a project, both win over an example', async () => {
  const folders = (['project', 'example'] as const).map((origin) => ({ path: join(root, origin), origin }));
  for (const { path } of folders) {
    mkdirSync(path);
    writeFileSync(join(path, 'x.clad.toml'), VALID);
  }
  const without = await load(...folders);
  expect([without.manifests.map(({ origin }) => origin), without.messages]).toEqual([['project'], []]);
  put('x.clad.toml', VALID);
  const withUser = await load(...folders);
  expect(withUser.manifests.map(({ origin }) => origin)).toEqual(['user']);
  expect(withUser.problems.map(({ file }) => file)).toEqual([join(root, 'project', 'x.clad.toml')]);
});

test('what is no plain small text inside the folder is a problem, and nothing waits for it', async () => {
  put('big.clad.toml', `${VALID}#${'x'.repeat(256 * 1024)}`);
  put('latin.clad.toml', Buffer.from([0x23, 0xe9]));
  put('ok.clad.toml', named('ok'));
  put('hid\u202eden.clad.toml', named('hidden'));
  mkdirSync(join(tools, 'dir.clad.toml'));
  execFileSync('mkfifo', [join(tools, 'fifo.clad.toml')]);
  writeFileSync(join(root, 'outside.toml'), named('outside'));
  symlinkSync('../outside.toml', join(tools, 'out.clad.toml'));
  symlinkSync('nowhere', join(tools, 'dangling.clad.toml'));
  symlinkSync('ok.clad.toml', join(tools, 'z-inside.clad.toml'));
  const { names, messages } = await load();
  expect(names).toEqual(['ok']);
  expect(messages).toEqual([
    'tools/big.clad.toml: must have at most 262144 bytes',
    'tools/dangling.clad.toml: is not there, or links to nothing',
    'tools/dir.clad.toml: is not a regular file',
    'tools/fifo.clad.toml: is not a regular file',
    'tools/hid<U+202E>den.clad.toml: the file name has invisible characters',
    'tools/latin.clad.toml: is not UTF-8 text',
    'tools/out.clad.toml: is a link that leaves its folder',
    expect.stringContaining('ok is already the name in'),
  ]);
});

test('a folder that is not there is said to be so', async () => {
  const path = join(root, 'none');
  const { folders, problems } = await load({ path, origin: 'project' });
  expect(folders).toEqual([
    { path: tools, origin: 'user', exists: true },
    { path, origin: 'project', exists: false },
  ]);
  expect(problems).toEqual([]);
});

test('more than 256 manifests: the rest is reported', async () => {
  for (let index = 0; index < 257; index += 1) put(`${String(index).padStart(3, '0')}.clad.toml`, '');
  const { messages, problems } = await load();
  expect(messages[0]).toBe('tools: has 257 manifests; the first 256 by name are read');
  expect(new Set(problems.map(({ file }) => file)).size).toBe(1 + 256);
});

test('1.4 toolclad.toml beside the folder; problems of it and of the scope are said', async () => {
  writeFileSync(
    join(root, 'toolclad.toml'),
    '[types.day]\nbase = "enum"\nallowed = ["mo"]\n[types.bad]\nbase = "bad"',
  );
  mkdirSync(join(root, 'scope'));
  writeFileSync(join(root, 'scope', 'scope.toml'), '[scope]\ntargets = 1');
  put('a.clad.toml', changed('"string"', '"day"'));
  const { manifests, problems } = await load();
  expect(manifests[0]?.manifest.commands[0]?.args[0]).toMatchObject({ type: 'enum', allowed: ['mo'] });
  expect(problems).toMatchObject([
    { file: join(root, 'toolclad.toml'), line: 4, key: 'types.bad', message: 'cyclic custom argument type' },
    { file: join(root, 'scope', 'scope.toml'), line: 2 },
  ]);
});

import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ManifestLibrary } from './manifest-library.ts';
import { changed, VALID } from './testing/manifest-text.ts';

let root: string;
let library: ManifestLibrary;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'airlock-library-'));
  library = new ManifestLibrary({ userFolder: join(root, 'data', 'tools'), examplesFolder: null });
});
afterEach(() => {
  library.dispose();
  rmSync(root, { recursive: true });
});

async function names(project: string | null = null): Promise<string[]> {
  const { catalog } = await library.read(project);
  return catalog.manifests.map(({ manifest }) => manifest.name);
}

/** Does it, and resolves when the library has told that something changed. */
async function told(change: () => void): Promise<void> {
  const heard = Promise.withResolvers<void>();
  const listening = library.on('changed', heard.resolve);
  change();
  await heard.promise;
  listening.dispose();
}

/** A project with one manifest of this name. */
function projectOf(name: string): string {
  const project = join(root, name);
  mkdirSync(join(project, 'tools'), { recursive: true });
  writeFileSync(join(project, 'tools', 'p.clad.toml'), changed('"writer"', `"${name}"`));
  return project;
}

test('a folder that does not exist yet, nor what is above it; files that come, change and go', async () => {
  expect(await names()).toEqual([]);
  const tools = join(root, 'data', 'tools');
  await told(() => {
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, 'a.clad.toml'), VALID);
  });
  expect(await names()).toEqual(['writer']);
  await told(() => writeFileSync(join(tools, 'a.clad.toml'), changed('"writer"', '"other"')));
  expect(await names()).toEqual(['other']);
  // The folder itself is replaced.
  await told(() => renameSync(tools, join(root, 'data', 'old')));
  expect(await names()).toEqual([]);
  await told(() => {
    mkdirSync(tools);
    writeFileSync(join(tools, 'b.clad.toml'), VALID);
  });
  expect(await names()).toEqual(['writer']);
  await told(() => rmSync(join(tools, 'b.clad.toml')));
  expect(await names()).toEqual([]);
});

test('projects: their tools, types and scope, also when these change', async () => {
  const project = projectOf('day');
  writeFileSync(join(project, 'tools', 'p.clad.toml'), changed('"string"', '"day"'));
  const before = await library.read(project);
  expect(before.catalog.problems[0]?.message).toBe('Unknown type: day');
  await told(() => writeFileSync(join(project, 'toolclad.toml'), '[types.day]\nbase = "port"'));
  const manifests = await library.read(project);
  const [loaded] = manifests.catalog.manifests;
  if (loaded === undefined) throw new Error('not loaded');
  expect(manifests.projectOf(loaded)).toEqual({ folder: project, scope: null });
  await told(() => {
    mkdirSync(join(project, 'scope'));
    writeFileSync(join(project, 'scope', 'scope.toml'), '[scope]\ntargets = ["10.0.0.1"]');
  });
  const { scope } = (await library.read(project)).projectOf(loaded);
  expect(scope?.contains('10.0.0.1')).toBe(true);
  expect(await names()).toEqual([]);
});

test('E3 two clients with projects of their own: each gets its own, and none is told that something changed', async () => {
  const [mine, theirs] = [projectOf('mine'), projectOf('theirs')];
  const heard = vi.fn();
  library.on('changed', heard);
  expect(await Promise.all([names(mine), names(theirs), names(mine), names()])).toEqual([
    ['mine'],
    ['theirs'],
    ['mine'],
    [],
  ]);
  expect(heard).not.toHaveBeenCalled();
  // Both stay watched.
  await told(() => rmSync(join(mine, 'tools', 'p.clad.toml')));
  await told(() => rmSync(join(theirs, 'tools', 'p.clad.toml')));
});

test('of many projects those that were read last are watched', async () => {
  const first = projectOf('first');
  await library.read(first);
  for (let n = 0; n < 8; n++) await library.read(projectOf(`p${n}`));
  const heard = vi.fn();
  library.on('changed', heard);
  rmSync(join(first, 'tools', 'p.clad.toml'));
  await told(() => rmSync(join(root, 'p0', 'tools', 'p.clad.toml')));
  expect(heard).toHaveBeenCalledTimes(1);
});

test('once disposed it says nothing', async () => {
  const heard = vi.fn();
  library.on('changed', heard);
  library.dispose();
  mkdirSync(join(root, 'data', 'tools'), { recursive: true });
  const other = new ManifestLibrary({ userFolder: join(root, 'data', 'tools'), examplesFolder: null });
  const later = Promise.withResolvers<void>();
  other.on('changed', later.resolve);
  writeFileSync(join(root, 'data', 'tools', 'a.clad.toml'), VALID);
  await later.promise;
  other.dispose();
  expect(heard).not.toHaveBeenCalled();
});

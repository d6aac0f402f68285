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

const names = () => library.catalog.manifests.map(({ manifest }) => manifest.name);
const becomes = (expected: string[]) =>
  vi.waitFor(() => expect(names()).toEqual(expected), { timeout: 5000 });

test('a folder that does not exist yet, nor what is above it; files that come, change and go', async () => {
  const seen: number[] = [];
  library.on('changed', (catalog) => seen.push(catalog.manifests.length));
  await library.reload();
  expect(names()).toEqual([]);
  const tools = join(root, 'data', 'tools');
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(tools, 'a.clad.toml'), VALID);
  await becomes(['writer']);
  writeFileSync(join(tools, 'a.clad.toml'), changed('"writer"', '"other"'));
  await becomes(['other']);
  // The folder itself is replaced.
  renameSync(tools, join(root, 'data', 'old'));
  await becomes([]);
  mkdirSync(tools);
  writeFileSync(join(tools, 'b.clad.toml'), VALID);
  await becomes(['writer']);
  rmSync(join(tools, 'b.clad.toml'));
  await becomes([]);
  expect(seen).toContain(1);
});

test('projects: their tools, types and scope, also when these change', async () => {
  const project = join(root, 'project');
  mkdirSync(join(project, 'tools'), { recursive: true });
  writeFileSync(join(project, 'tools', 'p.clad.toml'), changed('"string"', '"day"'));
  await library.setProjects([project]);
  expect(library.catalog.problems[0]?.message).toBe('Unknown type: day');
  writeFileSync(join(project, 'toolclad.toml'), '[types.day]\nbase = "port"');
  await becomes(['writer']);
  const [loaded] = library.catalog.manifests;
  if (loaded === undefined) throw new Error('not loaded');
  expect(library.projectOf(loaded)).toEqual({ folder: project, scope: null });
  mkdirSync(join(project, 'scope'));
  writeFileSync(join(project, 'scope', 'scope.toml'), '[scope]\ntargets = ["10.0.0.1"]');
  await vi.waitFor(() => expect(library.projectOf(loaded).scope?.contains('10.0.0.1')).toBe(true), {
    timeout: 5000,
  });
  await library.setProjects([]);
  expect(names()).toEqual([]);
});

test('find names a file, and with a digest exactly its text', async () => {
  const file = join(root, 'data', 'tools', 'a.clad.toml');
  mkdirSync(join(root, 'data', 'tools'), { recursive: true });
  writeFileSync(file, VALID);
  await library.reload();
  const digest = library.find(file)?.digest;
  expect(library.find(file, digest)?.manifest.name).toBe('writer');
  expect(library.find(file, '0'.repeat(64))).toBeUndefined();
  expect(library.find(join(root, 'b'))).toBeUndefined();
});

test('once disposed it says nothing and loads nothing', async () => {
  let fired = false;
  library.on('changed', () => {
    fired = true;
  });
  library.dispose();
  mkdirSync(join(root, 'data', 'tools'), { recursive: true });
  writeFileSync(join(root, 'data', 'tools', 'a.clad.toml'), VALID);
  await library.reload();
  expect([fired, names()]).toEqual([false, []]);
});

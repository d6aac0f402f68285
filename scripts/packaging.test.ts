import { existsSync, globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { ROOT } from './root.ts';

const CONFIGURATION = readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8');
/** Everything that the bundles of the host are made of, and nothing of the tests. */
const SOURCES = globSync('{electron,shared}/**/*.ts', { cwd: ROOT })
  .filter((path) => !/\.test\.ts$|\/testing\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

/** The items of a top-level list of the configuration. */
function listed(key: string): string[] {
  const list = new RegExp(`^${key}:\\n((?: .*\\n)+)`, 'm').exec(CONFIGURATION)?.[1] ?? '';
  return [...list.matchAll(/^ {2}- (?:"(.*)"|(.*))$/gm)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

const resources = [...CONFIGURATION.matchAll(/^ {2}- from: resources\/(\S+)\n {4}to: (\S+)$/gm)].map(
  ([, from, to]) => ({ from, to }),
);

function found(pattern: RegExp): string[] {
  return SOURCES.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name]) => name ?? ''));
}

it('what the host looks for among its resources is packed where it looks', () => {
  const names = found(/resourcePath\(\s*'([^']+)'/g);
  expect(names.sort()).toEqual(['apparmor/bwrap-userns-restrict', 'manifests', 'microvm']);
  for (const name of names) {
    expect(existsSync(join(ROOT, 'resources', name)), name).toBe(true);
    const [folder] = name.split('/');
    expect(resources).toContainEqual({ from: folder, to: folder });
  }
});

it('the folders that the bundles serve, and the preloads, are packed', () => {
  // What is far above is for a checkout.
  const beside = found(/join\(import\.meta\.dirname, '((?!\.\.\/\.\.)[^']+)'\)/g);
  expect(beside.sort()).toEqual([
    '../approval',
    '../renderer',
    'approval-preload.cjs',
    'player',
    'preload.cjs',
  ]);
  const folders = beside.map((path) =>
    path.startsWith('../') ? join('dist/electron', path) : 'dist/electron',
  );
  for (const folder of new Set(folders)) expect(listed('files')).toContain(`${folder}/**`);
  expect(listed('files').filter((pattern) => pattern.startsWith('!'))).toEqual(['!**/*.map']);
});

it('what the bundles import stands in the dependencies, which are packed', () => {
  const packages = new Set(
    found(/(?:from|import\() ?'([^'.][^']*)'/g)
      .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
      .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name),
  );
  packages.delete('electron');
  for (const name of packages) expect(Object.keys(packageJson.dependencies)).toContain(name);
  // Loaded through `require`, as a real file.
  expect(listed('asarUnpack')).toEqual(['node_modules/@lydell/node-pty*/**']);
});

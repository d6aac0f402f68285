/**
 * Builds the product: the page, the approval page, the Electron main process and its preloads, and the `airlock` command.
 *
 *   dist/renderer/          the page, one bundle for both hosts
 *   dist/approval/          the approval page, a bundle of its own for an origin of its own (DESIGN 6)
 *   dist/electron/main.js   Electron main process (ESM)
 *   dist/electron/cli.js    the `airlock` command (ESM, plain Node)
 *   dist/electron/recorder.js   the thread that writes recordings, of both hosts
 *   dist/electron/library.js, storer.js   the threads that keep and read the index, and the one that stores what the first has made
 *   dist/electron/manifests.js  the thread that checks manifests
 *   dist/electron/exchange.js   the thread that makes exports and imports; player/ is what an exported page plays with
 *   dist/electron/preload.cjs, approval-preload.cjs   sandboxed preloads must be CommonJS
 *
 * A build whose inputs have not changed since the last one is skipped; `--force` builds anyway.
 */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig, type Plugin } from 'vite';
import { ROOT } from './root.ts';

const STAMP = join(ROOT, 'dist', '.inputs');
const INPUTS = ['electron', 'renderer', 'shared', 'scripts/build.ts', 'package.json', 'package-lock.json'];

const common: InlineConfig = { configFile: false, root: ROOT, logLevel: 'warn' };

/** A page of its own origin: `folder` holds its index.html, `output` is below dist/. */
function page(folder: string, output: string): InlineConfig {
  return {
    ...common,
    root: join(ROOT, folder),
    base: './',
    plugins: [react()],
    build: {
      outDir: join(ROOT, 'dist', output),
      emptyOutDir: true,
      target: 'chrome140',
      // The page's policy allows scripts and fonts from its own origin only; data: URLs would need an exception.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 4096,
    },
  };
}

/** What stays in node_modules: it has files of its own beside its code, native ones, WebAssembly, protocols or scripts. */
const UNBUNDLED = ['@lydell/node-pty', '@cedar-policy/cedar-wasm', 'rregex', 'dockerode', 'open'];

/**
 * node:http as it is, and not as the ES module of that name: importing that one reads all its exports, and with them loads
 * a whole client for WebSocket and fetch, which takes a sixth of a host's start.
 */
const httpAlone: Plugin = {
  name: 'http-alone',
  enforce: 'pre',
  resolveId: (id) => (id === 'node:http' ? '\0node:http' : null),
  load: (id) =>
    id === '\0node:http'
      ? "export const { Agent, createServer, request } = process.getBuiltinModule('node:http');"
      : null,
};

/** Plain Node bundles, dependencies included: their many small modules would take half of the time that a host starts in. */
function hostBundles(): InlineConfig {
  return {
    ...common,
    plugins: [httpAlone],
    ssr: { noExternal: true, external: UNBUNDLED },
    build: {
      outDir: join(ROOT, 'dist/electron'),
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      ssr: true,
      rollupOptions: {
        input: {
          main: join(ROOT, 'electron/main.ts'),
          cli: join(ROOT, 'electron/cli.ts'),
          manifests: join(ROOT, 'electron/governed/manifest/checking/worker.ts'),
          recorder: join(ROOT, 'electron/transcripts/recording/worker.ts'),
          exchange: join(ROOT, 'electron/transcripts/exchange/worker.ts'),
          library: join(ROOT, 'electron/transcripts/library/thread/worker.ts'),
          storer: join(ROOT, 'electron/transcripts/library/index/aside/storer.ts'),
        },
        external: ['electron'],
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  };
}

/** asciinema-player as it is, with its licence: pages that are exported hold it. */
async function copyPlayer(): Promise<void> {
  const from = join(ROOT, 'node_modules/asciinema-player');
  const to = join(ROOT, 'dist/electron/player');
  await mkdir(to, { recursive: true });
  for (const file of ['LICENSE', 'dist/bundle/asciinema-player.min.js', 'dist/bundle/asciinema-player.css']) {
    await copyFile(join(from, file), join(to, basename(file)));
  }
}

function preload(name: string): InlineConfig {
  return {
    ...common,
    build: {
      outDir: join(ROOT, 'dist/electron'),
      emptyOutDir: false,
      target: 'chrome140',
      minify: false,
      lib: { entry: join(ROOT, `electron/${name}.ts`), formats: ['cjs'], fileName: () => `${name}.cjs` },
      rollupOptions: { external: ['electron'] },
    },
  };
}

async function inputsDigest(): Promise<string> {
  const hash = createHash('sha256');
  for (const input of INPUTS) {
    const path = join(ROOT, input);
    const entries = input.includes('.')
      ? [path]
      : (await readdir(path, { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
          .map((entry) => join(entry.parentPath, entry.name))
          .sort();
    for (const file of entries) hash.update(file).update('\0').update(readFileSync(file));
  }
  return hash.digest('hex');
}

function lastDigest(): string {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return '';
  }
}

/** Builds what is out of date. Resolves to false when nothing was. */
export async function buildProduct(options: { force?: boolean } = {}): Promise<boolean> {
  const digest = await inputsDigest();
  if (!options.force && digest === lastDigest()) return false;
  rmSync(STAMP, { force: true });
  await build(page('renderer', 'renderer'));
  await build(page('renderer/approval', 'approval'));
  await build(hostBundles());
  await copyPlayer();
  await build(preload('preload'));
  await build(preload('approval-preload'));
  await mkdir(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(STAMP, digest);
  return true;
}

if (import.meta.main) await buildProduct({ force: process.argv.includes('--force') });

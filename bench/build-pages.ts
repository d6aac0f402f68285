import { join } from 'node:path';
import { build, type InlineConfig } from 'vite';

const PAGES = join(import.meta.dirname, 'page');
const common: InlineConfig = { configFile: false, logLevel: 'warn', root: PAGES, base: './' };

/** Builds the pages of the reference subjects into `outDir`, and beside them the observer for Airlock's page. */
export async function buildPages(outDir: string): Promise<{ observer: string }> {
  await build({
    ...common,
    build: {
      outDir,
      emptyOutDir: true,
      rollupOptions: { input: [join(PAGES, 'alone.html'), join(PAGES, 'plain.html')] },
    },
  });
  await build({
    ...common,
    build: {
      outDir,
      emptyOutDir: false,
      lib: {
        entry: join(PAGES, 'observe-airlock.ts'),
        formats: ['iife'],
        name: 'observer',
        fileName: () => 'observer.js',
      },
    },
  });
  return { observer: join(outDir, 'observer.js') };
}

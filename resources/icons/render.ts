/**
 * Renders icon.svg as the PNGs that packages need: `node resources/icons/render.ts`. To be run after a change of the
 * drawing; the results are checked in.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumFlags, findChromium } from '../../e2e/harness/chromium.ts';

const FOLDER = import.meta.dirname;
/** Sizes of the freedesktop icon theme, in pixels. */
const LINUX_SIZES = [16, 32, 48, 64, 128, 256, 512];
/** macOS and Windows icons are made from one large picture. */
const LARGE = 1024;

const drawing = await readFile(join(FOLDER, 'icon.svg'), 'utf8');
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags() });
const page = await browser.newPage();
await page.setContent(
  `<style>html, body { margin: 0 } svg { display: block; width: 100vw }</style>${drawing}`,
);

async function render(size: number, path: string): Promise<void> {
  await page.setViewportSize({ width: size, height: size });
  await page.screenshot({ path, omitBackground: true });
}

await mkdir(join(FOLDER, 'linux'), { recursive: true });
for (const size of LINUX_SIZES) await render(size, join(FOLDER, 'linux', `${size}x${size}.png`));
await render(LARGE, join(FOLDER, 'icon.png'));
await browser.close();

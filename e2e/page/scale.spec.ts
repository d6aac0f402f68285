import type { CDPSession, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';

/** What a window is moved between, and a browser zooms to: 90 %, 100 %, common fractions, a dense screen. */
const SCALES = [1, 1.25, 1.5, 0.9, 2];
const WINDOW = { width: 1100, height: 700 };

/** Another density of the screen, as when a window moves to another one; the browser's zoom changes the same number. */
async function setScale(page: Page, devtools: CDPSession, scale: number): Promise<void> {
  await devtools.send('Emulation.setDeviceMetricsOverride', {
    ...WINDOW,
    deviceScaleFactor: scale,
    mobile: false,
  });
  await expect.poll(() => page.evaluate(() => window.devicePixelRatio)).toBeCloseTo(scale);
}

test('after the scale changed the rows fill the pane and the program knows its size (B34)', async ({
  airlock,
}) => {
  const { page, workspace } = airlock;
  const pane = await workspace.openFirstShell();
  const devtools = await page.context().newCDPSession(page);
  for (const [n, scale] of SCALES.entries()) {
    await setScale(page, devtools, scale);
    await pane.expectFilled(`scale ${n}`);
  }
});

import type { Page } from '@playwright/test';
import { expect } from '../harness/expect.ts';

/** Gives the window of a page this size and waits until the page has it: it may get there in steps. Pixels. */
export async function resizeWindow(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await expect
    .poll(() => page.evaluate(() => ({ width: window.innerWidth, height: window.innerHeight })))
    .toEqual(size);
}

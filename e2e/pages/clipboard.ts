import type { Page } from '@playwright/test';

/** The person's clipboard, reached as another program would, not through Airlock. */
export async function setClipboard(page: Page, text: string): Promise<void> {
  await page.evaluate((value) => navigator.clipboard.writeText(value), text);
}

export function readClipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

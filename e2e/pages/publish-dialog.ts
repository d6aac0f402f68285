import type { Page } from '@playwright/test';
import { Decisions } from './decisions.ts';

/** "Publish a file…" of the active shell: seals one of its /out for a folder, and leaves the decision open. */
export async function askToPublish(page: Page, file: string, into: string): Promise<Decisions> {
  await page.keyboard.press('Alt+Shift+P');
  const dialog = page.getByRole('dialog', { name: 'Publish a file' });
  await dialog.getByText(file).click();
  const folder = dialog.getByRole('textbox', { name: 'Goes to the folder' });
  await folder.fill(into);
  await dialog.getByRole('button', { name: 'Seal and ask' }).click();
  return new Decisions(page);
}

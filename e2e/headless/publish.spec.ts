import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Airlock, expect, test } from '../fixtures.ts';
import { Decisions } from '../pages/decisions.ts';
import { PublicationsPage } from '../pages/publications-page.ts';
import { askToPublish } from '../pages/publish-dialog.ts';

/** A shell with one file in /out, and the dialog that publishes it into the scratch folder of the test. */
async function publish({ workspace, page, folders }: Airlock): Promise<Decisions> {
  const shell = await workspace.openFirstShell();
  await shell.run('printf "a,1\\n" > /out/report.csv; echo writ""ten');
  await shell.expectLine('written');
  return askToPublish(page, 'report.csv', folders.scratch);
}

test('a file of /out is sealed, approved and published, with a receipt', async ({ airlock }) => {
  const decisions = await publish(airlock);
  await expect(decisions.dock).toBeVisible();
  await decisions.approve();
  await expect(airlock.workspace.activePane.root.locator('[data-strip=publishing]')).toContainText(
    'Published as',
  );
  expect(await readFile(join(airlock.folders.scratch, 'report.csv'), 'utf8')).toBe('a,1\n');
  const publications = await new PublicationsPage(airlock.page).open();
  await expect(await publications.verify('report.csv')).toHaveAttribute('data-check', 'ok');
});

test('the folder is asked for without a fault before one is named, and with one for what is none', async ({
  airlock,
}) => {
  const { workspace, page } = airlock;
  const shell = await workspace.openFirstShell();
  await shell.run('echo a > /out/report.csv; echo writ""ten');
  await shell.expectLine('written');
  await page.keyboard.press('Alt+Shift+P');
  const dialog = page.getByRole('dialog', { name: 'Publish a file' });
  await expect(dialog.getByRole('radio', { name: 'report.csv' }), 'there is no other').toBeChecked();
  const folder = dialog.getByRole('textbox', { name: 'Goes to the folder' });
  await expect(folder).toBeFocused();
  await expect(folder).toHaveAttribute('aria-invalid', 'false');
  await expect(folder).toHaveAccessibleDescription('A folder of the machine that Airlock runs on.');
  await folder.fill('/none/such');
  await folder.press('Enter');
  await expect(folder).toHaveAttribute('aria-invalid', 'true');
  const send = dialog.getByRole('button', { name: 'Seal and ask' });
  await expect(send).toBeDisabled();
  await folder.fill(airlock.folders.scratch);
  await expect(send, 'before the field is left').toBeEnabled();
  await folder.press('Enter');
  await expect(dialog).toBeHidden();
  const title = `Publish report.csv into ${airlock.folders.scratch}`;
  await expect(new Decisions(page).frame.getByText(title)).toBeVisible();
});

test('never overwrites: what is in the way stays, the sealed file is kept, another name is offered (F9)', async ({
  airlock,
}) => {
  const { page, folders } = airlock;
  const decisions = await publish(airlock);
  await expect(decisions.windowButton).toBeVisible();
  await writeFile(join(folders.scratch, 'report.csv'), 'mine');
  await decisions.approve();
  const strip = airlock.workspace.activePane.root.locator('[data-strip=publishing]');
  await strip.getByRole('button', { name: 'Show what is kept' }).click();
  expect(await readFile(join(folders.scratch, 'report.csv'), 'utf8')).toBe('mine');

  const row = new PublicationsPage(page).row('Not published');
  await row.getByRole('button', { name: /another name/ }).click();
  await row.getByRole('textbox', { name: 'Name' }).fill('report-2.csv');
  await row.getByRole('button', { name: 'Ask for approval' }).click();
  await expect(decisions.badge).toHaveText('1');
  await decisions.approve();
  await expect(new PublicationsPage(page).row('report-2.csv')).toHaveAttribute('data-state', 'published');
  expect(await readFile(join(folders.scratch, 'report-2.csv'), 'utf8')).toBe('a,1\n');
  await page.getByRole('button', { name: 'Sessions' }).click();
  await expect(strip, 'what failed is over').toBeHidden();
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FOLDER_TARGETS } from '../shared/terminal/inside.ts';
import { expect, test, withFolders } from './fixtures.ts';
import { resizeWindow } from './pages/window.ts';

test.use({ settings: withFolders() });

test('after a storm of window sizes stty size agrees with the pane (B04)', async ({ airlock }) => {
  const { workspace, page, folders } = airlock;
  const pane = await workspace.openFirstShell();
  // Not ended by Ctrl-C: a shell that is interrupted between two programs may go on, or lose its terminal for good.
  await pane.run(`until [ -e ${FOLDER_TARGETS.scratch}/stop ]; do stty size; done`);
  await pane.expectText(/^\d+ \d+$/m);
  for (let step = 0; step < 40; step += 1) {
    await page.setViewportSize({ width: 700 + ((step * 37) % 600), height: 450 + ((step * 53) % 400) });
  }
  await resizeWindow(page, { width: 1111, height: 777 });
  await writeFile(join(folders.scratch, 'stop'), '');
  await pane.expectPrompt();
  await pane.expectFilled('now');
});

test('a program that ends while the window changes leaves no error (B04)', async ({ airlock }) => {
  const { workspace, page } = airlock;
  const pane = await workspace.openFirstShell();
  await pane.type('exit 5');
  const sizes = [0, 1, 2, 3, 4, 5].map((step) => ({ width: 900 + step * 40, height: 600 + step * 20 }));
  await Promise.all([page.keyboard.press('Enter'), ...sizes.map((size) => page.setViewportSize(size))]);
  await expect(pane.ending).toContainText('Exit code 5.');
  await expect(pane.strip('message')).toBeHidden();
});

test('a pane that is not shown keeps its size, whatever becomes of the window (B04)', async ({ airlock }) => {
  const { workspace, page, folders } = airlock;
  const pane = await workspace.openFirstShell();
  const { cols, rows } = await pane.size();
  await pane.run(
    `trap "stty size >> ${FOLDER_TARGETS.scratch}/told" WINCH; read -r _ < go; stty size > ${FOLDER_TARGETS.scratch}/size`,
  );
  const other = await workspace.openTab();
  await resizeWindow(page, { width: 900, height: 600 });
  expect((await other.expectFits()).cols).toBeLessThan(cols);
  await airlock.releaseFifo('go');
  const said = (name: string) => readFile(join(folders.scratch, name), 'utf8').catch(() => '');
  await expect.poll(() => said('size')).toBe(`${rows} ${cols}\n`);

  await workspace.tabs.first().click();
  const shown = await workspace.activePane.expectFits();
  expect(shown.cols).toBeLessThan(cols);
  await expect.poll(() => said('told')).toMatch(new RegExp(`${shown.rows} ${shown.cols}\n$`));
});

test('text is made larger and smaller, and the program hears of it', async ({ airlock }) => {
  const { workspace, page } = airlock;
  const pane = await workspace.openFirstShell();
  const before = await pane.size();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Control+Shift+Equal');
  await expect.poll(async () => (await pane.size()).cols).toBeLessThan(before.cols);
  await pane.expectFilled('larger');
  const larger = await pane.size();
  await page.keyboard.press('Control+Shift+Minus');
  await expect.poll(async () => (await pane.size()).cols).toBeGreaterThan(larger.cols);
  await page.keyboard.press('Control+Shift+Digit0');
  await expect.poll(() => pane.size()).toEqual(before);
});

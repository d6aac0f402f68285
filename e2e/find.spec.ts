import { FOLDER_TARGETS } from '../shared/terminal/inside.ts';
import { expect, test, withFolders } from './fixtures.ts';
import { readClipboard } from './pages/clipboard.ts';

test('text is found in the scrollback, forwards and backwards, and the focus comes back', async ({
  airlock,
}) => {
  const { workspace, page } = airlock;
  const pane = await workspace.openFirstShell();
  await pane.run('echo needle-one; seq 200; echo Needle-two');
  await pane.expectLine('Needle-two');
  await expect.poll(() => pane.screen()).not.toContain('needle-one');

  await page.keyboard.press('Control+Shift+F');
  const input = pane.find.getByLabel('Find in terminal');
  await expect(input).toBeFocused();
  // Each word stands twice: in the command and in its output.
  await page.keyboard.type('needle');
  const count = pane.find.getByRole('status');
  // The newest is first.
  await expect(count).toHaveText('4 of 4');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Shift+Enter');
  await expect.poll(() => pane.screen()).toContain('needle-one');

  await pane.find.getByRole('button', { name: 'Match case' }).click();
  await expect(count).toContainText('of 2');
  await pane.find.getByRole('button', { name: 'Regular expression' }).click();
  await input.fill('^needle-o.e$');
  await expect(count).toContainText('of 1');
  await input.fill('not there');
  await expect(count).toHaveText('no matches');
  await input.press('Escape');
  await expect(pane.find).toBeHidden();
  await expect(pane.input).toBeFocused();
});

test('a dead pane stays searchable', async ({ airlock }) => {
  const pane = await airlock.workspace.openFirstShell();
  await pane.run('echo findable; exit 2');
  await expect(pane.ending).toContainText('Exit code 2.');
  await airlock.workspace.command('Find');
  await airlock.page.keyboard.type('findable');
  await expect(pane.find.getByRole('status')).toContainText('of 2');
});

test.describe('while output comes', () => {
  test.use({ settings: withFolders() });

  test('what was selected with the mouse stays selected, and new matches are counted', async ({
    airlock,
  }) => {
    const { workspace, page } = airlock;
    const pane = await workspace.openFirstShell();
    const wait = `read line < ${FOLDER_TARGETS.project}/go`;
    await pane.run(`clear; echo a needle; echo kept words; ${wait}; echo two needles`);
    await pane.expectLine('kept words');
    await page.keyboard.press('Control+Shift+F');
    await page.keyboard.type('needle');
    const count = pane.find.getByRole('status');
    await expect(count).toContainText('of 1');
    await pane.rows.getByText('kept words').dblclick({ position: { x: 10, y: 8 }, force: true });
    await airlock.releaseFifo('go');
    await expect(count).toContainText('of 2');
    await page.keyboard.press('Control+Shift+C');
    await expect.poll(() => readClipboard(page)).toBe('kept');
  });
});

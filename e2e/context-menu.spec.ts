import { expect, test, withFolders } from './fixtures.ts';
import { readClipboard, setClipboard } from './pages/clipboard.ts';

test.use({ settings: withFolders() });

test('a right click opens the pane’s menu at the pointer; the focus comes back', async ({ airlock }) => {
  const { workspace, page } = airlock;
  const pane = await workspace.openFirstShell();
  await setClipboard(page, 'SENTINEL');
  await pane.run('printf "take %s\\n" this-word');
  await pane.expectLine('take this-word');
  const { x, y } = await pane.placeOf('this-word');
  await page.mouse.dblclick(x, y);
  await page.mouse.click(x, y, { button: 'right' });
  const menu = page.getByRole('menu', { name: 'Pane menu' });
  await expect(menu).toBeVisible();
  const box = await menu.boundingBox();
  expect(Math.abs((box?.x ?? 0) - x)).toBeLessThan(12);
  await menu.getByRole('menuitem', { name: 'Copy' }).click();
  await expect.poll(() => readClipboard(page)).toBe('this-word');
  await expect(menu).toBeHidden();
  await expect(pane.input).toBeFocused();

  await page.mouse.click(x, y, { button: 'right' });
  // At once: from the click on, keys are the menu's.
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(pane.input).toBeFocused();

  await page.mouse.click(x, y, { button: 'right' });
  await menu.getByRole('menuitem', { name: 'Split right' }).click();
  await expect(workspace.panes).toHaveCount(2);
  await expect(workspace.activePane.input).toBeFocused();
});

test('a program that tracks the mouse gets the right click; Shift keeps it', async ({ airlock }) => {
  const { workspace, page, folders } = airlock;
  const pane = await workspace.openFirstShell();
  const typed = await pane.recordInput(folders.scratch, '\\e[?1000h\\e[?1006h');
  const { x, y } = await pane.placeOf('READY');
  const menu = page.getByRole('menu', { name: 'Pane menu' });
  await page.mouse.click(x, y, { button: 'right' });
  await expect.poll(typed).toMatch(/\x1b\[<2;\d+;\d+M\x1b\[<2;\d+;\d+m$/);
  await expect(menu).toBeHidden();
  const before = await typed();
  await page.keyboard.down('Shift');
  await page.mouse.click(x, y, { button: 'right' });
  await page.keyboard.up('Shift');
  await expect(menu).toBeVisible();
  expect(await typed()).toBe(before);
});

test('the keys that ask for a menu stay with the program', async ({ airlock }) => {
  const { workspace, page, folders } = airlock;
  const pane = await workspace.openFirstShell();
  const typed = await pane.recordInput(folders.scratch);
  await pane.press('ContextMenu', 'Shift+F10');
  await pane.type('x');
  await expect.poll(typed).toMatch(/\x1b\[21;2~x$/);
  await expect(page.getByRole('menu', { name: 'Pane menu' })).toBeHidden();
});

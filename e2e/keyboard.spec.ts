import { expect, test } from './fixtures.ts';

test('a day without a pointer: open, split, find, settings, close', async ({ airlock }) => {
  const { workspace, page } = airlock;
  const { keyboard } = page;
  const pane = await workspace.openFirstShell();
  await keyboard.type('echo by keyboard\n');
  await pane.expectLine('by keyboard');

  await keyboard.press('Control+Shift+P');
  await expect(workspace.palette.locator('input')).toBeFocused();
  await keyboard.type('split down');
  await keyboard.press('Enter');
  await expect(workspace.panes).toHaveCount(2);
  await expect(workspace.activePane.input).toBeFocused();
  await workspace.activePane.expectPrompt();

  await keyboard.press('Control+Shift+F');
  await keyboard.type('nothing');
  await keyboard.press('Escape');
  await expect(workspace.activePane.input).toBeFocused();

  await keyboard.press('Alt+Shift+N');
  await expect(page.getByRole('dialog', { name: 'New tab with profile' })).toBeVisible();
  await keyboard.press('Enter');
  await expect(workspace.tabs).toHaveCount(2);
  await workspace.activePane.expectPrompt();

  await keyboard.press('Control+Shift+Comma');
  await expect(page.getByRole('main', { name: 'Settings' })).toBeVisible();
  await keyboard.press('Control+Shift+P');
  await keyboard.type('show sessions');
  await keyboard.press('Enter');
  await expect(workspace.activePane.input).toBeFocused();

  await keyboard.type('exit\n');
  await expect(workspace.activePane.ending).toBeVisible();
  await keyboard.press('Alt+Shift+R');
  await workspace.activePane.expectState('running');
  await keyboard.press('Alt+Shift+Q');
  await expect(workspace.activePane.strip('close')).toBeVisible();
  await keyboard.press('Escape');
  await expect(workspace.activePane.input).toBeFocused();
  await keyboard.press('Alt+Shift+Q');
  await keyboard.press('Enter');
  await expect(workspace.tabs).toHaveCount(1);
});

test('the focus is always to be seen, and walks out of the terminal and back', async ({ airlock }) => {
  const { workspace, page } = airlock;
  await workspace.openFirstShell();
  await page.locator('[role=tab]').focus();
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    if ((await focused.count()) === 0) continue;
    if ((await focused.getAttribute('class'))?.includes('xterm-helper-textarea')) break;
    const outline = await focused.evaluate((element) => {
      const style = getComputedStyle(element);
      return style.outlineStyle !== 'none' || style.boxShadow !== 'none';
    });
    expect(outline, `${await focused.evaluate((element) => element.outerHTML.slice(0, 120))}`).toBe(true);
  }
  await expect(workspace.activePane.input).toBeFocused();
});

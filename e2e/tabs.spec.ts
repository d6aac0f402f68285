import { ARMING_MS } from '../renderer/ui/arming.ts';
import { expect, test } from './fixtures.ts';
import { holdTime } from './pages/time.ts';
import type { Workspace } from './pages/workspace.ts';

test('tabs keep their own shells; closing one that runs asks first', async ({ airlock }) => {
  const { workspace, page } = airlock;
  const first = await workspace.openFirstShell();
  await first.run('echo first $((1 + 0))');
  await first.expectLine('first 1');
  const second = await workspace.openTab();
  await second.run('echo second $((1 + 1))');
  await second.expectLine('second 2');

  await workspace.tabs.nth(0).click();
  await workspace.activePane.expectLine('first 1');
  await expect(workspace.activePane.input).toBeFocused();
  await page.keyboard.press('Control+Shift+PageDown');
  await workspace.activePane.expectLine('second 2');

  await workspace.command('Close tab');
  const ask = workspace.activePane.strip('close');
  await expect(ask).toContainText('Close this tab and end its session?');
  await ask.getByRole('button', { name: 'Keep open' }).click();
  await expect(ask).toBeHidden();
  await expect(workspace.activePane.input).toBeFocused();

  await workspace.command('Close tab');
  await page.keyboard.press('Enter');
  await expect(workspace.tabs).toHaveCount(1);
  await workspace.activePane.expectLine('first 1');
});

test('a key that is held asks once, and so does a double click: neither ends a session', async ({
  airlock,
}) => {
  const { workspace, page } = airlock;
  await workspace.openFirstShell();
  await workspace.openTab();
  const ask = workspace.activePane.strip('close');
  for (const key of ['Alt', 'Shift', 'Q', 'Q', 'Q', 'Q']) await page.keyboard.down(key);
  for (const key of ['Q', 'Shift', 'Alt']) await page.keyboard.up(key);
  await expect(ask).toContainText('Close this tab and end its session?');
  await expect(workspace.tabs).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(ask).toBeHidden();

  const pass = await holdTime(page);
  await workspace.activePane.header.getByRole('button', { name: 'Close pane' }).dblclick();
  await expect(ask).toContainText('Close this pane and end its session?');
  await workspace.activeTab.locator('[data-tab-close]').dblclick();
  await expect(ask).toContainText('Close this tab and end its session?');
  await expect(workspace.tabs).toHaveCount(2);
  await workspace.activePane.expectState('running');
  // Whoever has had time to read it means it.
  await pass(ARMING_MS);
  await workspace.activeTab.locator('[data-tab-close]').click();
  await expect(workspace.tabs).toHaveCount(1);
});

async function openEndedShell(workspace: Workspace): Promise<void> {
  const pane = await workspace.openFirstShell();
  await pane.run('exit');
  await expect(pane.ending).toBeVisible();
}

test('the Enter that closes the last pane from the palette opens no shell when it is held', async ({
  airlock,
}) => {
  const { workspace, page } = airlock;
  await openEndedShell(workspace);
  await page.keyboard.press('Control+Shift+P');
  await workspace.palette.locator('input').fill('Close pane');
  await expect(workspace.palette.getByRole('option').first()).toHaveText(/^Close pane/);
  for (let event = 0; event < 4; event += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(workspace.tabs).toHaveCount(0);
});

test('a tab whose shell has ended closes at once, and the last one leaves the first-run page', async ({
  airlock,
}) => {
  const { workspace, page } = airlock;
  await openEndedShell(workspace);
  await workspace.tabs.first().locator('[data-tab-close]').click();
  await expect(workspace.tabs).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Open a shell' })).toBeVisible();
});

test('tabs are moved by dragging and by keys', async ({ airlock }) => {
  const { workspace, page } = airlock;
  await workspace.openFirstShell();
  await (await workspace.openTab()).run("printf '\\e]0;two\\a'");
  await expect(workspace.activeTab).toContainText('two');
  await (await workspace.openTab()).run("printf '\\e]0;three\\a'");
  await expect(workspace.activeTab).toContainText('three');
  const titles = () => workspace.page.locator('.tab-title').allTextContents();
  expect(await titles()).toEqual(['Shell', 'two', 'three']);

  await workspace.drag(workspace.tabs.nth(2), workspace.tabs.nth(0), { x: 0.1, y: 0.5 });
  await expect.poll(titles).toEqual(['three', 'Shell', 'two']);
  await workspace.command('Move tab right');
  await expect.poll(titles).toEqual(['Shell', 'three', 'two']);
  await expect(page.locator('.xterm-helper-textarea')).toBeFocused();
});

test('a narrow window keeps the names of tabs, the active one in sight, and both ends of the status line', async ({
  airlock,
}) => {
  const { workspace, page } = airlock;
  const first = await workspace.openFirstShell();
  await first.run('exit 7');
  await expect(first.ending).toBeVisible();
  for (let more = 0; more < 5; more++) await (await workspace.openTab()).expectPrompt();
  await workspace.activePane.run('exit 9');
  await expect(workspace.activePane.ending).toBeVisible();
  await page.setViewportSize({ width: 640, height: 600 });
  const cutOff = (tab: number) =>
    workspace.tabs
      .nth(tab)
      .locator('.tab-title')
      .evaluate((title) => title.scrollWidth - title.clientWidth);
  for (const tab of [0, 5]) await expect.poll(() => cutOff(tab)).toBe(0);
  await expect(workspace.activeTab.locator('.tab-close')).toBeInViewport({ ratio: 1 });
  const status = page.locator('.status-line');
  for (const part of ['.status-name', '.status-size'])
    await expect(status.locator(part)).toBeInViewport({ ratio: 1 });
});

test.describe('with several profiles', () => {
  test.use({
    settings: {
      profiles: [
        { id: 'shell', name: 'Shell' },
        { id: 'online', name: 'Online', network: 'host' },
      ],
      defaultProfile: 'shell',
    },
  });

  test('the profiles menu says what each lets in and opens it', async ({ airlock }) => {
    const { workspace, page } = airlock;
    await page.getByRole('button', { name: 'New tab with profile' }).click();
    await expect(page.getByRole('menuitem', { name: 'Online' })).toContainText(/network on/i);
    await page.keyboard.press('Escape');
    const pane = await workspace.openTabWithProfile('Online');
    await pane.expectPrompt();
    await expect(pane.root.getByRole('button', { name: /^Network on/ })).toBeVisible();
    await expect(workspace.activeTab).toContainText('Online');
  });

  test('the palette opens a profile by its name', async ({ airlock }) => {
    const { workspace, page } = airlock;
    await page.keyboard.press('Control+Shift+P');
    await workspace.palette.locator('input').fill('online');
    await expect(workspace.palette.getByRole('option')).toHaveText(/^New tab: Online/);
    await page.keyboard.press('Enter');
    await workspace.activePane.expectPrompt();
    await expect(workspace.activeTab).toContainText('Online');
  });
});

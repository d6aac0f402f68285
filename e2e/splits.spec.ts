import type { Page } from '@playwright/test';
import { type Airlock, expect, test } from './fixtures.ts';
import type { Pane } from './pages/pane.ts';

/** A shell on the left, which is the answer, and one on the right, which has the focus. */
async function splitShell({ workspace, page }: Airlock): Promise<Pane> {
  const left = await workspace.openFirstShell();
  await page.keyboard.press('Alt+Shift+Equal');
  await expect(workspace.panes).toHaveCount(2);
  const right = workspace.activePane;
  await right.expectPrompt();
  await expect(right.input).toBeFocused();
  return left;
}

/** No frame is drawn until the answer is called; it ends once the frames that were asked for are. */
async function holdFrames(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { requestAnimationFrame: next } = window;
    const late: FrameRequestCallback[] = [];
    window.requestAnimationFrame = (callback) => late.push(callback);
    Object.assign(window, {
      goOn: () => {
        window.requestAnimationFrame = next;
        for (const callback of late) next(callback);
        return new Promise((resolve) => next(resolve));
      },
    });
  });
  return () => page.evaluate(() => (window as unknown as { goOn: () => Promise<void> }).goOn());
}

test('panes are split, walked and closed by keyboard', async ({ airlock }) => {
  const { workspace, page } = airlock;
  const first = await workspace.openFirstShell();
  await first.run('echo left $((1 + 0))');
  await first.expectLine('left 1');

  await page.keyboard.press('Alt+Shift+Equal');
  await expect(workspace.panes).toHaveCount(2);
  const right = workspace.activePane;
  await right.expectPrompt();
  await expect(right.input).toBeFocused();
  await right.run('echo right $((1 + 1))');
  await right.expectLine('right 2');
  await page.keyboard.press('Alt+Shift+Minus');
  await expect(workspace.panes).toHaveCount(3);
  await workspace.activePane.expectPrompt();

  await page.keyboard.press('Control+Shift+ArrowLeft');
  await workspace.activePane.expectLine('left 1');
  await page.keyboard.type('stty size\n');
  const { cols, rows } = await workspace.activePane.size();
  await workspace.activePane.expectLine(`${rows} ${cols}`);

  await page.keyboard.press('Control+Shift+Enter');
  await expect(workspace.panes).toHaveCount(1);
  await page.keyboard.press('Control+Shift+Enter');
  await expect(workspace.panes).toHaveCount(3);

  await page.keyboard.press('Control+Shift+ArrowRight');
  await workspace.command('Close pane');
  await expect(workspace.activePane.strip('close')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(workspace.panes).toHaveCount(2);
  await expect(page.locator('.xterm-helper-textarea:focus')).toHaveCount(1);
});

test('what is typed after a key that moves the focus goes there, however late the next frame is', async ({
  airlock,
}) => {
  const { page } = airlock;
  const left = await splitShell(airlock);
  const goOn = await holdFrames(page);
  await page.keyboard.press('Control+Shift+ArrowLeft');
  await page.keyboard.type('echo went le""ft\n');
  await goOn();
  await left.expectLine('went left');
});

test('what is opened after a key that moves the focus keeps it, however late the next frame is', async ({
  airlock,
}) => {
  const { page } = airlock;
  const left = await splitShell(airlock);
  const goOn = await holdFrames(page);
  await page.keyboard.press('Control+Shift+ArrowLeft');
  await page.keyboard.press('Control+Shift+F');
  const find = left.find.getByLabel('Find in terminal');
  await expect(find).toBeFocused();
  await goOn();
  await expect(find).toBeFocused();
  await page.keyboard.type('sought');
  await expect(find).toHaveValue('sought');
});

test.describe('with a profile beside the default one', () => {
  test.use({
    settings: {
      profiles: [
        { id: 'shell', name: 'Shell', network: 'host' },
        { id: 'safe', name: 'Safe' },
      ],
      defaultProfile: 'shell',
    },
  });

  test('a pane whose profile has another id now is not split into one of another profile', async ({
    airlock,
  }) => {
    const { workspace, page } = airlock;
    const pane = await workspace.openTabWithProfile('Safe');
    await pane.expectPrompt();
    const settings = await workspace.openSettings();
    await settings.section('Profiles');
    await settings.content
      .getByRole('list', { name: 'Profiles' })
      .getByRole('button', { name: /^Safe/ })
      .click();
    await settings.field('Id').fill('safest');
    await settings.field('Id').press('Enter');
    await workspace.openSessions();
    await page.keyboard.press('Alt+Shift+Equal');
    await expect(pane.strip('message')).toContainText('“Safe” is no longer among the profiles');
    await expect(workspace.panes).toHaveCount(1);
  });
});

test('closing a tab never ends more sessions than the question said', async ({ airlock }) => {
  const { workspace, page } = airlock;
  await workspace.openFirstShell();
  await workspace.command('Close tab');
  const question = workspace.activePane.strip('close');
  await expect(question).toContainText('end its session');
  await page.keyboard.press('Alt+Shift+Equal');
  await expect(workspace.panes).toHaveCount(2);
  await workspace.activePane.expectPrompt();
  await page.getByRole('button', { name: 'End session' }).click();
  await expect(page.getByText('Close this tab and end 2 sessions?')).toBeVisible();
  await page.getByRole('button', { name: 'End sessions' }).click();
  await expect(workspace.panes).toHaveCount(0);
});

test('the divider is moved by dragging and by keys, and the shells hear of it (ST-9)', async ({
  airlock,
}) => {
  const { workspace, page } = airlock;
  await workspace.openFirstShell();
  await page.keyboard.press('Alt+Shift+Equal');
  await expect(workspace.panes).toHaveCount(2);
  const right = workspace.activePane;
  await right.expectPrompt();
  const before = await right.size();

  const divider = page.getByRole('separator', { name: 'Divider between panes' });
  const box = await divider.boundingBox();
  if (box === null) throw new Error('The divider has no place.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x - 200, box.y + box.height / 2, { steps: 12 });
  await page.mouse.up();
  await expect.poll(async () => (await right.size()).cols).toBeGreaterThan(before.cols + 10);
  await right.expectFilled('dragged');
  const dragged = await right.size();

  await page.keyboard.press('Alt+Shift+ArrowRight');
  await expect.poll(async () => (await right.size()).cols).toBeLessThan(dragged.cols);
  await right.expectFilled('nudged');
});

test('a tab is dragged beside a pane, and a pane back to a tab of its own', async ({ airlock }) => {
  const { workspace, page } = airlock;
  const first = await workspace.openFirstShell();
  await first.run('echo in the first tab');
  const second = await workspace.openTab();
  await second.run('echo in the second tab');
  await second.expectLine('in the second tab');

  await workspace.drag(workspace.tabs.nth(0), workspace.panes.first(), { x: 0.9, y: 0.5 });
  await expect(workspace.panes).toHaveCount(2);
  await expect(workspace.tabs).toHaveCount(1);
  await workspace.pane(0).expectLine('in the second tab');
  await workspace.pane(1).expectLine('in the first tab');

  await workspace.drag(workspace.pane(1).header, page.locator('[data-tab-strip]'), { x: 0.9, y: 0.5 });
  await expect(workspace.tabs).toHaveCount(2);
  await expect(workspace.panes).toHaveCount(1);
  await workspace.activePane.expectLine('in the first tab');
  await workspace.activePane.run('echo still $((40 + 2))');
  await workspace.activePane.expectLine('still 42');
});

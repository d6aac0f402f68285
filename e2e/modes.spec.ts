import { expect, test, withFolders } from './fixtures.ts';

test.use({ settings: withFolders() });

/** Alternate screen, every mouse report, focus reports, bracketed paste, cursor keys, no cursor, region, line drawing. */
const MODES = '\\e[?1049h\\e[?1003h\\e[?1006h\\e[?1004h\\e[?2004h\\e[?1h\\e[?25l\\e[5;10r\\e(0\\e[>1u';

test('modes left on by a program that was killed are reset (B32)', async ({ airlock }) => {
  const { workspace, page, folders } = airlock;
  const pane = await workspace.openFirstShell();
  await pane.run('echo kept $((1 + 1))');
  await pane.expectLine('kept 2');
  await pane.run(`printf '${MODES}in the other screen'; kill -9 $$`);
  await expect(pane.ending).toContainText('137');
  await pane.expectLine('kept 2');
  await expect.poll(() => pane.screen()).not.toContain('in the other screen');

  await pane.ending.getByRole('button', { name: 'Open again' }).click();
  await pane.expectState('running');
  const typed = await pane.recordInput(folders.scratch);
  const { x, y } = await pane.placeOf('READY');
  await page.mouse.move(x, y);
  await page.mouse.move(x + 40, y + 40, { steps: 4 });
  await page.mouse.click(x + 40, y + 40);
  await page.mouse.wheel(0, -120);
  await pane.press('ArrowUp');
  await pane.type('lqk');
  await expect.poll(typed).toBe('\x1b[Alqk');
  await expect(pane.root.locator('.xterm-cursor')).toBeVisible();
});

test('a clean end leaves the cursor where it was', async ({ airlock }) => {
  const pane = await airlock.workspace.openFirstShell();
  await pane.run('printf "no line end"; exit 0');
  await expect(pane.ending).toBeVisible();
  await pane.expectText(/no line end/);
  const rows = (await pane.screen()).filter((row) => row !== '');
  expect(rows.at(-1)).toMatch(/^(exit|no line end)/);
});

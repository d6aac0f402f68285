import { expect, test } from '../fixtures.ts';

test('what happens is said: opened, ended, found, suspended', async ({ airlock }) => {
  const { workspace, page } = airlock;
  const pane = await workspace.openFirstShell();
  const said = page.locator('[data-live-region]');
  await pane.type('~');
  await pane.press('Control+z');
  await expect(said).toContainText('Shell is suspended. Any key resumes it.');
  await pane.type('x');
  await expect(said).toContainText('Shell runs again.');
  await pane.run('exit 7');
  await expect(said).toContainText('Shell: Exit code 7.');
});

test.describe('with screen reader mode', () => {
  test.use({ settings: { terminal: { screenReader: true } } });

  test('short output is announced, a flood only once, and the page stays alive (B34)', async ({
    airlock,
  }) => {
    const pane = await airlock.workspace.openFirstShell();
    const live = pane.root.locator('.live-region');
    // Keys: in this mode xterm takes nothing from an input method but what is composed.
    await pane.type('echo spoken $((1 + 1))\n');
    await expect(live).toContainText('spoken 2');
    await pane.type('seq 100000\n');
    await pane.expectLine('100000');
    await expect.poll(async () => (await live.textContent())?.length ?? 0).toBeLessThan(10_000);
    await pane.type('clear; echo alive $((2 + 2))\n');
    await pane.expectLine('alive 4');
  });
});

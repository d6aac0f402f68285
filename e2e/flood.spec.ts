import { expect, test, withFolders } from './fixtures.ts';
import { descendantsOf } from './harness/processes.ts';
import { readClipboard } from './pages/clipboard.ts';
import { resizeWindow } from './pages/window.ts';

test.use({ settings: withFolders() });

/** Milliseconds that megabytes of output may take. */
const MUCH_MS = 60_000;

test.describe('a program that floods (B30)', () => {
  test('Ctrl-C brings the prompt back', async ({ airlock }) => {
    const pane = await airlock.workspace.openFirstShell();
    await pane.run('yes');
    await pane.expectLine(/^y$/);
    await pane.press('Control+c');
    await pane.expectPrompt();
    await pane.run('echo status $?');
    await pane.expectLine('status 130');
  });

  test('a list of colours is drawn once', async ({ airlock }) => {
    const pane = await airlock.workspace.openFirstShell();
    const drawn = await pane.root.locator('.xterm-screen').evaluateHandle((screen) => {
      const drawn = { times: 0 };
      const observer = new MutationObserver((changes) => {
        drawn.times += changes.length;
      });
      for (const style of screen.querySelectorAll('style')) observer.observe(style, { childList: true });
      return drawn;
    });
    await pane.run(`printf '\\e]4'; printf ';1;#ffcc88%.0s' {1..500}; printf '\\a\\e[41mma''rked\\e[m\\n'`);
    await pane.expectLine('marked');
    const marked = pane.rows.locator('span').filter({ hasText: /^marked$/ });
    await expect(marked).toHaveCSS('background-color', 'rgb(255, 204, 136)');
    const { times } = await drawn.jsonValue();
    expect(times).toBeGreaterThan(0);
    expect(times).toBeLessThan(20);
  });

  test('another tab stays responsive, and ~. and closing work', async ({ airlock }) => {
    const { workspace } = airlock;
    const flood = await workspace.openFirstShell();
    await flood.run('yes');
    await flood.expectLine(/^y$/);
    const pane = await workspace.openTab();
    await pane.run('echo typed $((20 + 3))');
    await pane.expectLine('typed 23');

    await workspace.tabs.first().click();
    await workspace.activePane.type('~.');
    await expect(workspace.activePane.ending).toContainText('Disconnected');

    await workspace.openTab();
    await workspace.activePane.run('yes');
    await workspace.activePane.expectLine(/^y$/);
    await workspace.command('Close tab');
    await airlock.page.keyboard.press('Enter');
    await expect(workspace.tabs).toHaveCount(2);
    await expect.poll(() => descendantsOf(airlock.hostPid).filter(({ name }) => name === 'yes')).toEqual([]);
  });

  test('four floods side by side leave a fifth shell its echo', async ({ airlock }) => {
    const { workspace, page } = airlock;
    await workspace.openFirstShell();
    await workspace.activePane.run('yes');
    for (const key of ['Alt+Shift+Equal', 'Alt+Shift+Minus', 'Alt+Shift+Equal']) {
      await page.keyboard.press(key);
      await workspace.activePane.expectPrompt();
      await workspace.activePane.run('cat /dev/urandom | od -x');
    }
    const pane = await workspace.openTab();
    await pane.run('echo quick $((1 + 1))');
    await pane.expectLine('quick 2');
  });

  test('a huge single line, an unended title and a wall of colours leave a working shell', async ({
    airlock,
  }) => {
    const pane = await airlock.workspace.openFirstShell();
    await pane.run("head -c 20000000 /dev/zero | tr '\\0' a; echo; clear; echo line $((1 + 0))");
    await pane.expectLine('line 1', MUCH_MS);
    await pane.run("printf '\\e]0;%0*d' 5000000 0; printf '\\a'; clear; echo title $((1 + 1))");
    await pane.expectLine('title 2', MUCH_MS);
    expect((await airlock.page.title()).length).toBeLessThan(300);
    await pane.run(
      "yes $'\\e[31m' | head -c 5000000 | tr -d '\\n'; printf '\\e[m'; clear; echo colours $((1 + 2))",
    );
    await pane.expectLine('colours 3', MUCH_MS);
    await pane.run('exit 4');
    await expect(pane.ending).toContainText('Exit code 4.');
  });

  test('a line that fills the scrollback can be resized, searched and copied', async ({ airlock }) => {
    const { workspace, page } = airlock;
    const pane = await workspace.openFirstShell();
    await pane.run("head -c 3000000 /dev/zero | tr '\\0' a; echo needle; echo line $((1 + 0))");
    await pane.expectLine('line 1', MUCH_MS);
    for (let step = 0; step < 60; step += 1)
      await page.setViewportSize({ width: 800 + ((step * 41) % 400), height: 500 + ((step * 29) % 300) });
    await resizeWindow(page, { width: 1000, height: 700 });
    await pane.expectFilled('now');

    await page.keyboard.press('Control+Shift+F');
    const search = pane.find.getByLabel('Find in terminal');
    for (const [text, count] of [
      ['aaaa', '1000 or more'],
      ['aab', 'no matches'],
      ['aneedle', '1 of 1'],
    ] as const) {
      await search.fill(text);
      await expect(pane.find.getByRole('status')).toHaveText(count);
    }
    await page.keyboard.press('Escape');
    await workspace.command('Select all');
    await page.keyboard.press('Control+Shift+C');
    await expect.poll(() => readClipboard(page)).toMatch(/^a{500000,}needle$/m);
  });

  test('every byte arrives, in order', async ({ airlock }) => {
    const pane = await airlock.workspace.openFirstShell();
    await pane.run('seq 200000 | tail -n 3; seq 200000; echo all $((1 + 1))');
    await pane.expectLine('all 2', MUCH_MS);
    const rows = (await pane.screen()).filter((row) => /^\d+$/.test(row)).map(Number);
    expect(rows.length).toBeGreaterThan(20);
    expect(rows).toEqual(Array.from(rows, (_, index) => 200_000 - rows.length + 1 + index));
  });
});

test('loading the page again ends its sessions, mid-flood too; new ones work (B31, ST-23)', async ({
  airlock,
}) => {
  const { workspace, page } = airlock;
  const pane = await workspace.openFirstShell();
  await pane.run('yes');
  await pane.expectLine(/^y$/);
  await page.reload();
  await expect.poll(() => descendantsOf(airlock.hostPid)).toEqual([]);
  const next = await workspace.openFirstShell();
  await next.run('echo fresh $((1 + 1))');
  await next.expectLine('fresh 2');
});

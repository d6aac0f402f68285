import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { chromiumFlags, findChromium } from '../harness/chromium.ts';
import { launchHeadless } from '../harness/launch-headless.ts';
import { Workspace } from '../pages/workspace.ts';

for (const scale of [1.25, 1.5]) {
  test(`at ${scale} device pixels per pixel the canvas has exactly the screen's pixels (B34)`, async ({
    folders,
  }) => {
    await writeFile(
      join(folders.data, 'settings.json'),
      '{ "version": 1, "terminal": { "renderer": "webgl" } }',
    );
    // Emulated pixel ratios do not reach what the page draws with; the browser's own flag does.
    const browser = await chromium.launch({
      executablePath: findChromium(),
      args: [...chromiumFlags(), `--force-device-scale-factor=${scale}`, '--window-size=1000,700'],
    });
    const { page, close } = await launchHeadless(browser, folders.data, { viewport: null });
    const pane = new Workspace(page).pane();
    await expect(page.getByRole('button', { name: 'Open a shell' })).toBeEnabled();
    await page.keyboard.press('Enter');
    await pane.expectState('running');

    const canvases = pane.root.locator('.xterm-screen canvas');
    await expect(canvases.first()).toBeVisible();
    const excess = () =>
      canvases.evaluateAll((elements) =>
        (elements as HTMLCanvasElement[]).map(
          (canvas) => canvas.width - canvas.getBoundingClientRect().width * devicePixelRatio,
        ),
      );
    await expect.poll(async () => (await excess()).every((pixels) => Math.abs(pixels) < 1)).toBe(true);
    expect(await page.evaluate(() => devicePixelRatio)).toBe(scale);

    await pane.run('printf \'\\e]0;%s\\a\' "$(stty size)"');
    const { cols, rows } = await pane.size();
    await expect(page).toHaveTitle(`Airlock · Shell: ${rows} ${cols}`);
    await close();
    await browser.close();
  });
}

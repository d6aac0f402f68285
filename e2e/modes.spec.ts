import type { Page } from '@playwright/test';
import { expect, test, withFolders } from './fixtures.ts';
import { setClipboard } from './pages/clipboard.ts';

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
  await page.getByRole('button', { name: 'New tab with profile' }).focus();
  await pane.focus();
  await setClipboard(page, 'pasted');
  await pane.press('Control+Shift+V');
  await expect.poll(typed).toBe('\x1b[Alqkpasted');
  await expect(pane.root.locator('.xterm-cursor')).toBeVisible();
});

test('an ended session is sent nothing, whatever its program had turned on (B32)', async ({ airlock }) => {
  const { workspace, page } = airlock;
  const pane = await workspace.openFirstShell();
  await pane.run(`printf '${MODES}'; exit 3`);
  await expect(pane.ending).toContainText('Exit code 3.');
  const sent = await countFrames(page);
  const box = await pane.root.locator('.xterm-screen').boundingBox();
  if (box === null) throw new Error('The screen has no place.');
  await page.mouse.move(box.x + 50, box.y + 50);
  await page.mouse.move(box.x + 90, box.y + 90, { steps: 4 });
  await page.mouse.click(box.x + 90, box.y + 90);
  await page.mouse.wheel(0, -120);
  await page.getByRole('button', { name: 'New tab with profile' }).focus();
  await pane.focus();
  await setClipboard(page, 'pasted');
  await pane.press('Control+Shift+V');
  await expect(pane.strip('message')).toContainText('No session runs here. Nothing was sent.');
  expect(await sent()).toBe(0);

  await pane.ending.getByRole('button', { name: 'Open again' }).click();
  await pane.expectState('running');
  await pane.run('echo counted $((1 + 1))');
  await pane.expectLine('counted 2');
  expect(await sent(), 'or else nothing was counted').toBeGreaterThan(0);
});

/**
 * Counts the binary messages, which are input, that the page gives to its carrier from now on: a port, or the worker that
 * holds the socket.
 */
async function countFrames(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counter = Object.assign(globalThis, { framesSent: 0 });
    for (const carrier of [MessagePort.prototype, Worker.prototype]) {
      const { postMessage } = carrier;
      carrier.postMessage = function (data: unknown, ...rest: unknown[]) {
        if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) counter.framesSent += 1;
        Reflect.apply(postMessage, this, [data, ...rest]);
      };
    }
  });
  return () => page.evaluate(() => (globalThis as unknown as { framesSent: number }).framesSent);
}

test('a clean end leaves the cursor where it was, out of sight', async ({ airlock }) => {
  const pane = await airlock.workspace.openFirstShell();
  await pane.run('printf "no line end"; exit 0');
  await expect(pane.ending).toBeVisible();
  await expect.poll(async () => (await pane.text()).at(-1)).toMatch(/^(exit|no line end)/);
  await pane.focus();
  await expect(pane.root.locator('.xterm-cursor')).toHaveCount(0);
});

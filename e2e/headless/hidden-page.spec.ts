import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FOLDER_TARGETS } from '../../shared/terminal/inside.ts';
import { test as base, expect } from '../fixtures.ts';
import { BareBrowser } from '../harness/bare-browser.ts';
import { startHeadlessHost } from '../harness/headless-host.ts';

/** A host and a page with a shell, in a browser that hides pages as browsers do. */
const test = base.extend<{ browserPage: BareBrowser }>({
  browserPage: async ({ folders }, use) => {
    const profiles = [{ id: 'shell', name: 'Shell', project: folders.project, scratch: folders.scratch }];
    const settings = { version: 1, terminal: { renderer: 'dom' }, profiles };
    await writeFile(join(folders.data, 'settings.json'), JSON.stringify(settings));
    const host = await startHeadlessHost({ dataDir: folders.data });
    const browser = await BareBrowser.launch(host.address);
    await expect.poll(() => browser.evaluate<string>('document.body.innerText')).toContain('Open a shell');
    await browser.type('\n');
    await expect.poll(() => screen(browser)).toContain('$');
    await use(browser);
    await browser.close();
    await host.stop();
  },
});

const screen = (page: BareBrowser) =>
  page.evaluate<string>(
    "[...document.querySelectorAll('.xterm-rows > div')].map((row) => row.textContent).join('\\n')",
  );
const isHidden = (page: BareBrowser) => page.evaluate<boolean>('document.hidden');

async function hide(page: BareBrowser): Promise<void> {
  await page.hide();
  await expect.poll(() => isHidden(page)).toBe(true);
}

async function show(page: BareBrowser): Promise<void> {
  await page.show();
  await expect.poll(() => isHidden(page)).toBe(false);
}

test('a program in a hidden page runs to its end, and the page does not grow (B31)', async ({
  browserPage: page,
  folders,
}) => {
  await page.type(
    `for i in $(seq 300000); do echo line $i; done; date > ${FOLDER_TARGETS.scratch}/done; exit 9\n`,
  );
  await expect.poll(() => screen(page)).toContain('line');
  await hide(page);
  const before = await page.heapBytes();

  await expect.poll(() => existsSync(join(folders.scratch, 'done')), { timeout: 60_000 }).toBe(true);
  const ending = 'document.querySelector(".end-bar")?.textContent ?? ""';
  await expect.poll(() => page.evaluate<string>(ending)).toContain('Exit code 9.');
  expect(await isHidden(page)).toBe(true);
  expect((await page.heapBytes()) - before).toBeLessThan(50e6);

  await show(page);
  await expect.poll(() => screen(page)).toContain('line 300000');
});

test('what a hidden page shows on return is what the program printed last (B31)', async ({
  browserPage: page,
}) => {
  await hide(page);
  await page.type("printf 'hidden %s\\n' words; printf '\\e]0;titled\\a'\n");
  await expect.poll(() => page.evaluate<string>('document.title')).toContain('titled');
  expect(await isHidden(page)).toBe(true);
  await show(page);
  await expect.poll(() => screen(page)).toContain('hidden words');
});

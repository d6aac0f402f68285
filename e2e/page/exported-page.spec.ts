import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeExport } from '../../electron/transcripts/exchange/export/make-export.ts';
import { writeRecording } from '../../electron/transcripts/exchange/testing/recordings.ts';
import { expect, test } from '../fixtures.ts';

const HOSTILE = '</script><img src=x onerror="document.title=1">';

test('an exported page plays by itself: keyboard, moments, light and dark, and it asks nobody for anything', async ({
  browser,
  folders,
}) => {
  const folder = join(folders.data, 'recording');
  const path = join(folders.data, 'page.html');
  writeRecording(
    folder,
    [
      '\x1b[31mfirst\x1b[0m line\r\n',
      { moment: { kind: 'notice', label: `Noticed ${HOSTILE}`, text: 'x' } },
      'token sk_abc\r\n',
      HOSTILE,
    ],
    { title: `work ${HOSTILE}` },
  );
  const redactions = [{ kind: 'pattern', pattern: 'sk_\\w+' }] as const;
  expect((await makeExport({ folder, path, format: 'html', redactions, withInput: false })).ok).toBe(true);

  const context = await browser.newContext({ viewport: { width: 900, height: 600 }, colorScheme: 'dark' });
  const page = await context.newPage();
  const asked: string[] = [];
  const problems: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  const address = pathToFileURL(path).href;
  await page.goto(address);

  await expect(page).toHaveTitle(`work ${HOSTILE}`);
  const screen = page.locator('.ap-term');
  await expect(screen).toContainText('first line');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  // The player draws blocks, so that they are no text.
  await expect(screen).toContainText('token');
  await expect(screen).not.toContainText('sk_');
  await expect(screen).toContainText(HOSTILE.slice(0, 30));

  const moment = page.getByRole('button', { name: 'Noticed' });
  await moment.focus();
  await page.keyboard.press('Enter');
  await expect(screen).not.toContainText('token');
  await expect(moment).toHaveText(`00:00 Noticed ${HOSTILE}`);

  const background = () => page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
  const dark = await background();
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await background()).not.toBe(dark);

  const left = page.evaluate(() => fetch('https://example.invalid/').then(String, (error) => String(error)));
  expect(await left).toContain('TypeError');
  expect(asked).toEqual([address]);
  expect(problems.filter((problem) => !problem.includes('example.invalid'))).toEqual([]);
  await context.close();
});

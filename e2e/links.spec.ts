import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, withFolders } from './fixtures.ts';

test.use({ settings: withFolders() });

const GOOD = 'https://example.com/a(b)';
const link = (target: string, label: string) => `\x1b]8;;${target}\x1b\\${label}\x1b]8;;\x1b\\\n`;

/** Label on the screen → target, and why it is not opened. */
const REFUSED: [label: string, target: string, reason: RegExp][] = [
  ['script', 'javascript:alert(1)', /Only http and https/],
  ['file', 'file:///etc/passwd', /Only http and https/],
  ['data', 'data:text/html,x', /Only http and https/],
  ['share', 'smb://host/share', /Only http and https/],
  ['settings', 'ms-settings:display', /Only http and https/],
  ['editor', 'vscode://file/etc/passwd', /Only http and https/],
  ['user', 'HTTPS://user@evil.example/', /user name/],
  ['slash', 'https://evil.example\\@good.example', /backslash/],
  ['lines', 'https://good.example/%0d%0a', /control character/],
];

test('the target of a link is shown in full before it opens, and it opens exactly once (B14)', async ({
  airlock,
}) => {
  const { workspace, page, context, folders } = airlock;
  await writeFile(join(folders.project, 'links'), link(GOOD, 'https://other.example/ says the label'));
  const pane = await workspace.openFirstShell();
  await pane.run('cat links');
  const address = page.url();
  const windows = context.pages().length;

  const { x, y } = await pane.placeOf('https://other.example/');
  await page.mouse.move(x, y - 2);
  await page.mouse.move(x, y);
  await expect(pane.root.locator('.link-hint')).toContainText(GOOD);
  await page.mouse.click(x, y);
  await expect(pane.strip('link')).toBeHidden();

  await pane.ctrlClick('https://other.example/');
  const ask = pane.strip('link');
  await expect(ask).toContainText('Open example.com in the browser?');
  await expect(ask.getByRole('group', { name: 'Full address' })).toHaveText(GOOD);
  await expect(ask).toContainText('Shown in the terminal as https://other.example/ says the label');
  expect(await airlock.openedLinks()).toEqual([]);
  await ask.getByRole('button', { name: 'Open' }).click();
  await expect.poll(() => airlock.openedLinks()).toEqual([GOOD]);
  await expect(ask).toBeHidden();

  expect(page.url()).toBe(address);
  // The browser that Airlock runs in is where its links open; the desktop has the system's.
  await expect.poll(() => context.pages().length).toBe(windows + (airlock.target === 'headless' ? 1 : 0));
});

test('every other scheme is inert, and says why (B14)', async ({ airlock }) => {
  const { workspace, page, context, folders } = airlock;
  await writeFile(
    join(folders.project, 'links'),
    REFUSED.map(([label, target]) => link(target, `[${label}]`)).join(''),
  );
  const pane = await workspace.openFirstShell();
  await pane.run('cat links');
  const address = page.url();
  const windows = context.pages().length;
  for (const [label, , reason] of REFUSED) {
    await pane.ctrlClick(`[${label}]`);
    await expect(pane.strip('message')).toContainText(reason);
    await pane.strip('message').getByRole('button', { name: 'Dismiss' }).click();
  }
  await expect(pane.strip('link')).toBeHidden();
  expect(await airlock.openedLinks()).toEqual([]);
  expect(page.url()).toBe(address);
  expect(context.pages().length).toBe(windows);
});

test('an address in plain text is a link to itself', async ({ airlock }) => {
  const pane = await airlock.workspace.openFirstShell();
  await pane.run("printf 'see %s.\\n' https://example.com/docs?q=1");
  await pane.ctrlClick('https://example.com/docs?q=1.'.slice(0, -1));
  await expect(pane.strip('link').getByRole('group', { name: 'Full address' })).toHaveText(
    'https://example.com/docs?q=1',
  );
  await airlock.page.keyboard.press('Escape');
  await expect(pane.strip('link')).toBeHidden();
  await expect(pane.input).toBeFocused();
  expect(await airlock.openedLinks()).toEqual([]);
});

test('a link is opened without a pointer', async ({ airlock }) => {
  const { workspace, page, folders } = airlock;
  await writeFile(join(folders.project, 'links'), link(GOOD, 'the docs'));
  const pane = await workspace.openFirstShell();
  await pane.run('cat links');
  await pane.expectLine('the docs');
  await workspace.command('Open a link on the screen…');
  await page.getByRole('dialog').getByRole('option', { name: 'the docs' }).click();
  await expect(pane.strip('link').getByRole('button', { name: 'Open' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(() => airlock.openedLinks()).toEqual([GOOD]);
});

test('an address that never ends stays a bounded question', async ({ airlock }) => {
  const { workspace, folders } = airlock;
  await writeFile(
    join(folders.project, 'links'),
    link(`https://example.com/${'a'.repeat(100_000)}`, 'huge') + link(GOOD, 'next'),
  );
  const pane = await workspace.openFirstShell();
  await pane.run('cat links; echo after $((1 + 1))');
  await pane.expectLine('after 2');
  await pane.ctrlClick('huge');
  await expect(pane.strip('link')).toBeHidden();
  // A click is answered before the next one.
  await pane.ctrlClick('next');
  await expect(pane.strip('link').getByRole('group', { name: 'Full address' })).toHaveText(GOOD);
  expect(await airlock.openedLinks()).toEqual([]);
});

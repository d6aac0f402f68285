import { expect, test } from './fixtures.ts';
import { resizeWindow } from './pages/window.ts';

test('the theme follows the system, its contrast too, in the terminal as well', async ({ airlock }) => {
  const { workspace, page } = airlock;
  await page.emulateMedia({ colorScheme: 'dark', contrast: 'no-preference' });
  const pane = await workspace.openFirstShell();
  const html = page.locator('html');
  const background = () =>
    pane.root
      .locator('.xterm-scrollable-element')
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  await expect(html).toHaveAttribute('data-theme', 'dark');
  const dark = await background();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(html).toHaveAttribute('data-theme', 'light');
  await expect.poll(background).not.toBe(dark);
  await page.emulateMedia({ contrast: 'more' });
  await expect(html).toHaveAttribute('data-theme', /high-contrast/);
});

test('colours that a program has set stay with another theme, until it gives them back', async ({
  airlock,
}) => {
  const { workspace, page } = airlock;
  await page.emulateMedia({ colorScheme: 'dark' });
  const pane = await workspace.openFirstShell();
  const background = () =>
    pane.root
      .locator('.xterm-scrollable-element')
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  const foreground = () =>
    pane.root.locator('.xterm-rows').evaluate((element) => getComputedStyle(element).color);
  await pane.run("printf '\\033]11;#123456\\033\\\\'");
  await expect.poll(background).toBe('rgb(18, 52, 86)');
  const dark = await foreground();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect.poll(foreground, 'the terminal has the other theme').not.toBe(dark);
  expect(await background()).toBe('rgb(18, 52, 86)');
  await pane.run("printf '\\033]111\\033\\\\'");
  await expect.poll(background).not.toBe('rgb(18, 52, 86)');
});

test.describe('a theme that a person chose', () => {
  test.use({ settings: { appearance: { theme: 'light' } } });

  test('does not follow the system', async ({ airlock }) => {
    const { workspace, page } = airlock;
    await page.emulateMedia({ colorScheme: 'dark' });
    await workspace.openFirstShell();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    await workspace.command('High contrast on or off');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'high-contrast');
  });
});

test('a window of 900 × 600 can be worked in', async ({ airlock }) => {
  const { workspace, page } = airlock;
  await resizeWindow(page, { width: 900, height: 600 });
  const pane = await workspace.openFirstShell();
  await page.keyboard.press('Alt+Shift+Equal');
  await expect(workspace.panes).toHaveCount(2);
  await workspace.activePane.expectPrompt();
  await expect(pane.root.getByText('recorded', { exact: true })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('navigation', { name: 'Places' })).toBeInViewport({ ratio: 1 });
  await expect(workspace.statusLine).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Close pane' }).last()).toBeInViewport({ ratio: 1 });
  const overflow = await page.evaluate(
    () =>
      document.documentElement.scrollWidth > innerWidth ||
      document.documentElement.scrollHeight > innerHeight,
  );
  expect(overflow).toBe(false);
  const { cols } = await workspace.activePane.size();
  expect(cols).toBeGreaterThan(40);
  await workspace.openSettings();
  await expect(page.getByRole('main', { name: 'Settings' })).toBeInViewport();
});

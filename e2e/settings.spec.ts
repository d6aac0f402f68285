import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settingsSchema } from '../shared/settings/schema.ts';
import { type Airlock, expect, test } from './fixtures.ts';
import { press } from './pages/press.ts';
import { SECTIONS } from './pages/settings-page.ts';

const STANDARD = settingsSchema.parse({}).appearance;
const settingsText = ({ folders }: Airlock) => readFile(join(folders.data, 'settings.json'), 'utf8');
const savedSettings = async (airlock: Airlock) => JSON.parse(await settingsText(airlock));

test('a change is kept in the file, takes effect at once, and goes back to the standard', async ({
  airlock,
}) => {
  const { workspace } = airlock;
  const pane = await workspace.openFirstShell();
  const before = await pane.size();
  const settings = await workspace.openSettings();
  await settings.section('Appearance');
  const size = settings.field('Terminal font size');
  await size.fill('20');
  await size.press('Enter');
  await expect.poll(async () => (await savedSettings(airlock)).appearance?.fontSize).toBe(20);
  await workspace.openSessions();
  await expect.poll(async () => (await pane.size()).cols).toBeLessThan(before.cols);

  await workspace.openSettings();
  await settings.content
    .getByRole('button', { name: `Reset Terminal font size to ${STANDARD.fontSize}` })
    .click();
  await expect.poll(async () => (await savedSettings(airlock)).appearance?.fontSize).toBe(STANDARD.fontSize);
});

test('a section that a command opens is gone on from by Tab', async ({ airlock }) => {
  const { workspace, page } = airlock;
  await workspace.openFirstShell();
  await workspace.command('Engines');
  const sections = page.getByRole('navigation', { name: 'Settings' });
  await expect(sections.getByRole('button', { name: 'Engines' })).toBeFocused();
  const check = page.getByRole('button', { name: 'Check again' });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(check).toBeFocused();
  await expect(check).toBeEnabled();
  // What is under way keeps the focus where it was begun.
  await page.keyboard.press('Enter');
  await expect(check).toBeEnabled();
  await expect(check).toBeFocused();
  // From within a section the next command goes to its own.
  await workspace.command('Profiles');
  await expect(sections.getByRole('button', { name: 'Profiles' })).toBeFocused();
});

test('a value out of bounds is named with its bound and not kept', async ({ airlock }) => {
  const settings = await airlock.workspace.openSettings();
  await settings.section('Terminal');
  const scrollback = settings.field('Scrollback');
  await scrollback.fill('300000');
  await scrollback.press('Enter');
  await expect(settings.content.getByText(/Scrollback must be at most 200,?000/)).toBeVisible();
  await expect(scrollback).toHaveAttribute('aria-invalid', 'true');
  await scrollback.press('Escape');
  await expect(scrollback).toHaveValue('10000');
  expect(await settingsText(airlock)).not.toContain('300000');
});

test('other rules are looked at with the press that leaves their field', async ({ airlock }) => {
  const { page } = airlock;
  const settings = await airlock.workspace.openSettings();
  await settings.section('Transcripts');
  await settings.field('Keep transcripts').fill('13');
  await press(page, settings.content.getByRole('button', { name: 'What would go now' }));
  const preview = settings.content.getByRole('region', { name: 'What these rules delete' });
  await expect(preview.getByRole('status')).toHaveText('Nothing would go now.');
  expect((await savedSettings(airlock)).transcripts.keepDays).toBe(13);
  // What was said of other rules is not said of these.
  await settings.field('Keep transcripts').fill('14');
  await settings.field('Keep transcripts').press('Enter');
  await expect(preview.getByRole('status')).toBeHidden();
});

test('every field of the schema has a control', async ({ airlock }) => {
  const settings = await airlock.workspace.openSettings();
  const fields = {
    Appearance: ['Theme', 'Terminal font', 'Line height', 'Cursor', 'Blinking cursor', 'Minimum contrast'],
    Terminal: ['Scrollback', 'Renderer', 'Copy on select', 'Bell', 'Screen reader mode'],
  };
  for (const section of ['Appearance', 'Terminal'] as const) {
    await settings.section(section);
    for (const field of fields[section]) await expect(settings.field(field).first()).toBeVisible();
  }
  for (const section of SECTIONS) await settings.section(section);
});

test('settings are found by their words', async ({ airlock }) => {
  const settings = await airlock.workspace.openSettings();
  await airlock.page.getByRole('searchbox', { name: 'Search settings' }).fill('middle button');
  await expect(settings.field('Paste with the middle button')).toBeVisible();
  await expect(settings.content.getByLabel('Scrollback', { exact: true })).toBeHidden();
  // A section that a command opens ends the search.
  for (const name of ['Engines', 'Keys'] as const) {
    await airlock.page.getByRole('searchbox', { name: 'Search settings' }).fill('middle button');
    await airlock.workspace.command(name);
    await expect(settings.content.getByRole('heading', { level: 2 })).toHaveText(name);
    await expect(airlock.page.getByRole('searchbox', { name: 'Search settings' })).toHaveValue('');
  }
});

test('a folder that was asked for on the first-run page is not asked for over the settings', async ({
  airlock,
  target,
}) => {
  test.skip(target !== 'headless', 'On a desktop the system asks.');
  const { page, workspace } = airlock;
  await page.getByRole('button', { name: 'Open a project folder…' }).click();
  await page.getByLabel('Path of the project folder').fill('/ho');
  const settings = await workspace.openSettings();
  await expect(settings.content).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await workspace.openSessions();
  await expect(page.getByRole('button', { name: 'Open a project folder…' })).toBeVisible();
});

test.describe('keys', () => {
  test('a key is changed by pressing it, works at once, and a conflict is shown', async ({ airlock }) => {
    const { workspace, page } = airlock;
    await workspace.openFirstShell();
    const settings = await workspace.openSettings();
    await settings.section('Keys');
    await settings.content.getByRole('button', { name: /^Change the key of Split right/ }).click();
    await page.keyboard.press('Control+x');
    await expect(settings.content.getByText(/belongs to the program/)).toBeVisible();
    await page.keyboard.press('Control+Shift+Y');
    await expect(
      settings.content.getByRole('button', { name: /Split right, now Ctrl\+Shift\+Y/ }),
    ).toBeVisible();
    await expect
      .poll(async () => (await savedSettings(airlock)).keys)
      .toEqual({ 'pane.split-right': 'Ctrl+Shift+Y' });

    await settings.content.getByRole('button', { name: /^Change the key of Find, / }).click();
    await page.keyboard.press('Control+Shift+Y');
    await expect(settings.content.getByRole('list', { name: 'Problems with keys' })).toContainText(
      '“Split right” and “Find” have the same key, Ctrl+Shift+Y.',
    );
    await settings.content.getByRole('button', { name: 'Reset the key of Find', exact: true }).click();
    await expect(settings.content.getByRole('list', { name: 'Problems with keys' })).toBeHidden();

    await workspace.openSessions();
    await page.keyboard.press('Control+Shift+Y');
    await expect(workspace.panes).toHaveCount(2);
  });
});

test.describe('profiles', () => {
  test('one is added, changed and opened', async ({ airlock }) => {
    const { workspace, page } = airlock;
    const settings = await workspace.openSettings();
    await settings.section('Profiles');
    await settings.content.getByRole('button', { name: 'Duplicate' }).click();
    const name = settings.field('Name');
    await name.fill('Tilde-free');
    await name.press('Enter');
    const character = settings.field('Escape character');
    await character.fill('ab');
    await expect(settings.content.getByText(/must be one ASCII punctuation character/)).toBeVisible();
    await character.fill('%');
    await character.press('Enter');
    await expect
      .poll(async () =>
        (await savedSettings(airlock)).profiles?.map((profile: { name: string }) => profile.name),
      )
      .toEqual(['Shell', 'Tilde-free']);
    await workspace.openSessions();
    const pane = await workspace.openTabWithProfile('Tilde-free');
    await pane.expectPrompt();
    await expect(workspace.statusLine).toContainText('%? for escapes');
    await page.keyboard.type('%?');
    await pane.expectText('Escape sequences');
  });

  test('the editor says whether its engine can be used', async ({ airlock }) => {
    const settings = await airlock.workspace.openSettings();
    await settings.section('Profiles');
    await expect(settings.content.getByText(/bubblewrap [\d.]+ is ready/).first()).toBeVisible();
    await settings.section('Engines');
    await expect(settings.content.locator('[data-engine=bubblewrap]')).toContainText('Usable');
  });

  test('what helps against two engines’ trouble is said once', async ({ airlock }) => {
    const settings = await airlock.workspace.openSettings();
    await settings.section('Engines');
    const engine = (kind: string) => settings.content.locator(`[data-engine=${kind}]`);
    await expect(engine('attach')).toBeVisible();
    const usable = await engine('container').getAttribute('data-usable');
    await expect(engine('attach')).toHaveAttribute('data-usable', usable ?? '');
    // With a daemon there is nothing to do for either.
    const same = engine('attach').getByText('What to do is the same as for Container.');
    await expect(same).toHaveCount(usable === 'true' ? 0 : 1);
    await expect(engine('attach').locator('.engine-fix')).toHaveCount(0);
  });
});

const BAD = '{ "version": 1, "appearance": { "fontSize": 99 }, "terminal": { "scrollback": -1 } }';

test.describe('a settings file with mistakes', () => {
  test.use({ settings: BAD });

  test('is kept; fields and bounds are named; the standard settings stand in', async ({ airlock }) => {
    const settings = await airlock.workspace.openSettings();
    const alert = airlock.page.getByRole('alert');
    await expect(alert).toContainText('The settings file is not used.');
    await expect(alert).toContainText(/appearance\.fontSize.*at most 40/);
    await expect(alert).toContainText(/terminal\.scrollback.*at least 0/);
    await settings.section('Appearance');
    await expect(settings.field('Terminal font size')).toHaveValue(String(STANDARD.fontSize));
    expect(await settingsText(airlock)).toBe(BAD);
  });

  test('what is said of it goes with a change, but not while something is pressed', async ({ airlock }) => {
    const { page } = airlock;
    const settings = await airlock.workspace.openSettings();
    await settings.section('Profiles');
    await settings.field('Name').fill('Renamed');
    const heading = settings.content.getByRole('heading', { level: 3 });
    await press(page, settings.content.getByRole('button', { name: 'Duplicate' }), () =>
      expect(heading).toHaveText('Shell'),
    );
    await expect(heading).toHaveText('Renamed copy');
    await expect(page.getByRole('alert')).toBeHidden();
  });
});

test.describe('a settings file that is not JSON', () => {
  test.use({ settings: '{ "version": 1,\n  oops' });

  test('says where', async ({ airlock }) => {
    await airlock.workspace.openSettings();
    await expect(airlock.page.getByRole('alert')).toContainText('line 2, column 3');
  });
});

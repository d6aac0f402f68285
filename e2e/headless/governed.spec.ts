import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Airlock, expect, test } from '../fixtures.ts';
import { Decisions } from '../pages/decisions.ts';
import type { GovernedPane } from '../pages/governed-pane.ts';
import { ManifestPicker } from '../pages/manifest-picker.ts';
import { PublicationsPage } from '../pages/publications-page.ts';
import { resizeWindow } from '../pages/window.ts';

/** Opens the report writer of the examples; its files are in the test's project folder. */
async function openReportWriter({ page, folders }: Airlock): Promise<GovernedPane> {
  await mkdir(join(folders.project, 'data'));
  await writeFile(join(folders.project, 'data/rates.csv'), 'north,2\n');
  const picker = await new ManifestPicker(page).open();
  return picker.choose('report_writer', folders.project);
}

const report = ({ folders }: Airlock) => join(folders.project, 'data/report.csv');

test('a person runs commands, approves the last one, and finds the file and its receipt', async ({
  airlock,
}) => {
  const { page, context } = airlock;
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const pane = await openReportWriter(airlock);
  await pane.call('add', 'add north,1204');
  await pane.call('add', 'add south,987');
  await pane.call('look', 'count');
  await pane.expectLine(/(^|> )2$/);
  await expect(page.locator('.status-line')).toContainText('3 of 40 commands');

  await pane.command('save').click();
  await expect(pane.line).toHaveValue('save-report');
  await pane.button('Ask, then publish and end').click();
  const decisions = new Decisions(page);
  await expect(decisions.dock).toBeVisible();
  await expect(pane.held).toContainText('Output is held while a decision is open. Nothing is lost.');
  await expect(decisions.badge).toHaveText('1');
  await decisions.approve();

  await expect(pane.outcome).toContainText('Published data/report.csv');
  await expect(decisions.badge).toBeHidden();
  expect(await readFile(report(airlock), 'utf8')).toBe('north,1204\nsouth,987\n');
  expect(complaints, 'neither page breaks its policy').toEqual([]);

  const publications = await new PublicationsPage(page).open();
  await expect(publications.row('data/report.csv')).toContainText('21 bytes');
  await expect(await publications.verify('data/report.csv')).toHaveAttribute('data-check', 'ok');
  await expect(await publications.verifyEverything()).toHaveAttribute('data-audit', 'true');
  await writeFile(report(airlock), 'forged');
  await expect(await publications.verify('data/report.csv')).toHaveAttribute('data-check', 'broken');
});

test('what ends with the focus in its command line is opened again by Enter', async ({ airlock }) => {
  const pane = await openReportWriter(airlock);
  await expect(pane.line).toBeFocused();
  await airlock.workspace.command('Disconnect');
  await expect(pane.root.getByText('You ended this session.')).toBeVisible();
  await expect(pane.input).toBeFocused();
  await pane.input.press('Enter');
  await expect(pane.line).toBeFocused();
  await pane.call('add', 'add north,1204');
});

test('the window of a decision shows an ordinary request whole on a screen of 1280 × 800', async ({
  airlock,
}) => {
  const { page } = airlock;
  const pane = await openReportWriter(airlock);
  await pane.call('add', 'add north,1204');
  await pane.command('save').click();
  await pane.button('Ask, then publish and end').click();
  const window = await new Decisions(page).openWindow();
  // What the browser's own frame and a task bar leave of it; as wide as it was opened.
  const width = await window.evaluate(() => innerWidth);
  expect(width).toBeLessThanOrEqual(1280);
  await resizeWindow(window, { width, height: 680 });
  const content = window.getByRole('region', { name: 'Content of the request' });
  await expect(content).toContainText('Digest of this request');
  expect(await content.evaluate((body) => body.scrollHeight - body.clientHeight)).toBe(0);
  await expect(window.getByRole('button', { name: 'Approve once' })).toBeEnabled();
  await window.getByRole('button', { name: 'Deny' }).click();
});

test('a denied command says so; the session goes on, and the history keeps the decision (A8)', async ({
  airlock,
}) => {
  const { page } = airlock;
  const pane = await openReportWriter(airlock);
  await pane.call('add', 'add north,1');
  await pane.command('save').click();
  await pane.line.press('Enter');
  const decisions = new Decisions(page);
  await decisions.deny('not this week');
  await expect(pane.outcome).toContainText('save was not approved');
  await expect(pane.outcome).toContainText('not this week');
  await pane.call('add', 'add south,2');
  await page.getByRole('button', { name: 'Approvals' }).click();
  await expect(page.locator('[data-approval-outcome=denied]')).toContainText('not this week');
});

test('of two decisions that wait a double click denies one; the other has to be picked', async ({
  airlock,
}) => {
  const first = await openReportWriter(airlock);
  await first.call('add', 'add north,1');
  await first.command('save').click();
  await first.line.press('Enter');
  const decisions = new Decisions(airlock.page);
  await expect(decisions.badge).toHaveText('1');
  const second = await new ManifestPicker(airlock.page)
    .open()
    .then((picker) => picker.choose('report_writer', airlock.folders.project));
  await second.call('add', 'add south,1');
  await second.command('save').click();
  await second.line.press('Enter');
  await expect(decisions.badge).toHaveText('2');
  await decisions.denyButton.dblclick();
  await expect(decisions.frame.locator('.card[data-state=denied]')).toBeVisible();
  await expect(decisions.badge).toHaveText('1');
  await expect(decisions.frame.getByRole('button', { name: 'Show the next request' })).toBeVisible();
  await decisions.frame.getByRole('button', { name: 'Show the next request' }).click();
  await decisions.deny('nor this one');
  await expect(second.outcome).toContainText('nor this one');
});

test.describe('a decision that nobody makes', () => {
  test.use({ serveOptions: { 'approval-timeout': '5' } });

  test('expires: pane, history and log say so, nothing ran, and the session goes on (A5)', async ({
    airlock,
  }) => {
    const { page, folders } = airlock;
    const pane = await openReportWriter(airlock);
    await pane.call('add', 'add north,1');
    await pane.command('save').click();
    await pane.line.press('Enter');
    const decisions = new Decisions(page);
    await expect(pane.outcome).toContainText('save was not approved');
    await expect(pane.outcome).toContainText('nobody decided in time');
    await expect(decisions.badge).toBeHidden();
    await pane.call('look', 'count');
    await pane.expectLine(/(^|> )1$/);
    await page.getByRole('button', { name: 'Approvals' }).click();
    await expect(page.locator('[data-approval-outcome=expired]')).toContainText('nobody decided in time');
    await expect(readFile(report(airlock))).rejects.toThrow('ENOENT');
    const log = await readFile(join(folders.data, 'audit/log.jsonl'), 'utf8');
    const events = log.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).event]));
    expect(events.filter((event) => event.startsWith('approval.'))).toEqual([
      'approval.requested',
      'approval.expired',
    ]);
    expect(events.filter((event) => event.startsWith('publication.'))).toEqual([]);
  });
});

test('a decision takes no focus, fits a small window, and can be taken back (A9)', async ({ airlock }) => {
  await resizeWindow(airlock.page, { width: 900, height: 600 });
  const pane = await openReportWriter(airlock);
  await pane.call('add', 'add north,1');
  await pane.command('save').click();
  await pane.line.press('Enter');
  const decisions = new Decisions(airlock.page);
  await expect(decisions.dock).toBeVisible();
  await expect(decisions.windowButton).toBeVisible();
  await expect(pane.line).toBeFocused();
  await expect(decisions.frame.getByRole('button', { name: 'Deny' })).toBeInViewport({ ratio: 1 });
  await pane.button('Take the question back').click();
  await expect(pane.outcome).toContainText('save was not approved');
  await expect(decisions.badge).toBeHidden();
});

test('what is typed into the watched terminal goes nowhere; the bar checks as one types (M10)', async ({
  airlock,
}) => {
  const pane = await openReportWriter(airlock);
  await pane.line.fill('add north;1');
  await expect(pane.sent).toHaveAttribute('data-problem');
  await expect(pane.button('Run')).toBeDisabled();
  await pane.call('add', 'add north,1');
  await pane.type('add typed,1\n');
  await expect(pane.strip('message')).toContainText('watched, not typed into');
  await expect(pane.input).toBeFocused();
  await pane.call('look', 'count');
  await pane.expectLine(/(^|> )1$/);
  await pane.line.press('ArrowUp');
  await expect(pane.line).toHaveValue('count');
});

const LOOSE = `[tool]
name = "loose"
version = "1"
mode = "session"
description = "Takes anything"
[session]
startup_command = "cat"
ready_pattern = '>'
[session.commands.any]
pattern = 'say .*'
description = "Says it"
[output]
format = "text"
`;

test('files that cannot be used name their line and hide no other; warnings are read by keyboard (M1)', async ({
  airlock,
}) => {
  const { page, folders } = airlock;
  const tools = join(folders.project, 'tools');
  await mkdir(tools);
  await writeFile(join(tools, 'broken.clad.toml'), '[tool]\nname = "broken"\n');
  const picker = await new ManifestPicker(page).open();
  await picker.folder.fill(folders.project);
  await picker.folder.press('Enter');
  await expect(picker.problems).toContainText('1 file cannot be used');
  await picker.problems.getByText('cannot be used').click();
  await expect(picker.problems).toContainText('broken.clad.toml');
  await expect(picker.manifest('report_writer')).toBeVisible();

  await writeFile(join(tools, 'loose.clad.toml'), LOOSE);
  await expect(picker.manifest('loose')).toContainText('1 warning');
  await expect(picker.warnings).toContainText('1 warning in 1 manifest, which can be used');
  await picker.problems.locator('summary').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(picker.warnings.locator('summary')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(picker.warnings.getByRole('listitem')).toHaveText(
    /^loose\.clad\.toml:\d+ session\.commands\.any\.pattern .*shell/,
  );
});

test('a manifest that is pressed twice while its folder is looked at is opened once', async ({ airlock }) => {
  const { page, folders, workspace } = airlock;
  const picker = await new ManifestPicker(page).open();
  await picker.folder.fill(folders.project);
  // Two presses before any answer of the host.
  await picker.manifest('report_writer').evaluate((option) => {
    (option.ownerDocument.activeElement as HTMLElement).blur();
    for (let presses = 0; presses < 2; presses += 1) (option as HTMLElement).click();
  });
  await expect(page.locator('[data-pane][data-active]')).toBeVisible();
  await expect(picker.root).toBeHidden();
  await expect(workspace.tabs).toHaveCount(1);
});

test.describe('without an audit log', () => {
  test.use({
    settings: async ({ folders }, use) => {
      await mkdir(join(folders.data, 'audit'), { mode: 0o700 });
      await writeFile(join(folders.data, 'audit/key.json'), 'damaged', { mode: 0o600 });
      await use({});
    },
  });

  test('the picker says why there is no manifest, and keeps its folder and profile', async ({ airlock }) => {
    const picker = await new ManifestPicker(airlock.page).open();
    await expect(picker.root.getByRole('status').first()).toContainText('are not available');
    await picker.folder.fill(airlock.folders.project);
    await picker.folder.press('Enter');
    await expect(picker.folder).toHaveValue(airlock.folders.project);
    await expect(picker.root.getByRole('status').first()).toContainText('are not available');
  });
});

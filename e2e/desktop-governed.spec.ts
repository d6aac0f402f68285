import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { type Airlock, expect, test } from './fixtures.ts';
import { readAndApprove } from './pages/decisions.ts';
import type { GovernedPane } from './pages/governed-pane.ts';
import { ManifestPicker } from './pages/manifest-picker.ts';

/** The page of the view that lies over the window: on no origin of the app's page. */
async function approvalPage({ page }: Airlock): Promise<Page> {
  const find = () =>
    page
      .context()
      .browser()
      ?.contexts()
      .flatMap((context) => context.pages())
      .find((candidate) => /^(approval:|https:\/\/airlock\.approval\.)/.test(candidate.url()));
  await expect.poll(() => find() !== undefined).toBe(true);
  return find() as Page;
}

async function openReportWriter({ page, folders }: Airlock): Promise<GovernedPane> {
  await mkdir(join(folders.project, 'data'));
  await writeFile(join(folders.project, 'data/rates.csv'), 'north,2\n');
  const picker = await new ManifestPicker(page).open();
  return picker.choose('report_writer', folders.project);
}

test('on the desktop the decision is a view of its own, and approves the finalizing command (DESIGN 6)', async ({
  airlock,
}) => {
  const pane = await openReportWriter(airlock);
  await pane.call('add', 'add north,1204');
  await pane.command('save').click();
  await pane.button('Ask, then publish and end').click();
  const decision = await approvalPage(airlock);
  await expect(airlock.page.locator('iframe')).toHaveCount(0);
  await expect(decision.getByText('save-report').first()).toBeVisible();
  await expect(decision.getByRole('button', { name: 'Approve once' })).toBeDisabled();
  await readAndApprove(decision);
  await expect(pane.outcome).toContainText('Published data/report.csv');
  expect(await readFile(join(airlock.folders.project, 'data/report.csv'), 'utf8')).toBe('north,1204\n');
});

test('on the desktop a denied command leaves its session alive (A8)', async ({ airlock }) => {
  const pane = await openReportWriter(airlock);
  await pane.call('add', 'add north,1');
  await pane.command('save').click();
  await pane.line.press('Enter');
  const decision = await approvalPage(airlock);
  await decision.getByRole('textbox', { name: /Reason for denying/ }).fill('not this week');
  await decision.getByRole('button', { name: 'Deny' }).click();
  await expect(pane.outcome).toContainText('not this week');
  await pane.call('add', 'add south,2');
});

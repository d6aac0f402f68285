import type { Locator } from '@playwright/test';
import type { Airlock } from '../fixtures.ts';
import { expect } from '../harness/expect.ts';
import { setClipboard } from './clipboard.ts';
import { Decisions } from './decisions.ts';
import { ManifestPicker } from './manifest-picker.ts';
import { PublicationsPage } from './publications-page.ts';
import { SECTIONS } from './settings-page.ts';
import { TranscriptsPage } from './transcripts-page.ts';

export interface State {
  readonly name: string;
  reach(airlock: Airlock): Promise<void>;
}

/**
 * The states that the window can be in, each reached as a person reaches it from the first-run page: for checks that
 * look at every one. Needs the settings of `STATE_SETTINGS`.
 */
export const STATES: readonly State[] = [
  {
    name: 'first-run',
    async reach({ page }) {
      await expect(page.getByText(/bubblewrap [\d.]+ is ready/)).toBeVisible();
    },
  },
  {
    name: 'shell',
    async reach({ workspace }) {
      const pane = await workspace.openFirstShell();
      await pane.run('ls --color=always /usr; printf "\\e[32m%s\\e[0m\\n" ready');
      await pane.expectLine('ready');
    },
  },
  {
    name: 'splits',
    async reach({ workspace, page }) {
      await workspace.openFirstShell();
      await page.keyboard.press('Alt+Shift+Equal');
      await expect(workspace.panes).toHaveCount(2);
      await workspace.activePane.expectPrompt();
      await page.keyboard.press('Alt+Shift+Minus');
      await expect(workspace.panes).toHaveCount(3);
      await workspace.activePane.expectPrompt();
    },
  },
  {
    name: 'profiles-menu',
    async reach({ page }) {
      await page.getByRole('button', { name: 'New tab with profile' }).click();
      await expect(page.getByRole('menuitem', { name: 'Online' })).toBeVisible();
    },
  },
  {
    name: 'palette',
    async reach({ workspace, page }) {
      await workspace.openFirstShell();
      await page.keyboard.press('Control+Shift+P');
      await expect(workspace.palette).toBeVisible();
    },
  },
  {
    name: 'find',
    async reach({ workspace, page }) {
      const pane = await workspace.openFirstShell();
      await pane.run('seq 40');
      await pane.expectLine('40');
      await page.keyboard.press('Control+Shift+F');
      await page.keyboard.type('1');
      await expect(pane.find.getByRole('status')).toContainText('of');
    },
  },
  {
    name: 'paste-strip',
    async reach({ workspace, page }) {
      const pane = await workspace.openFirstShell();
      // A shell would take several lines without a question.
      await pane.run("clear; echo REA''DY; exec cat");
      await pane.expectLine('READY');
      await setClipboard(page, 'first line\nsecond\u200b line\x1b\n');
      await pane.press('Control+Shift+V');
      await expect(pane.strip('paste')).toBeVisible();
    },
  },
  {
    name: 'link-strip',
    async reach({ workspace }) {
      const pane = await workspace.openFirstShell();
      await pane.run("printf '\\e]8;;https://example.com/docs\\e\\\\%s-docs\\e]8;;\\e\\\\\\n' the");
      await pane.expectLine('the-docs');
      await pane.ctrlClick('the-docs');
      await expect(pane.strip('link')).toBeVisible();
    },
  },
  {
    name: 'close-strip',
    async reach({ workspace }) {
      const pane = await workspace.openFirstShell();
      await workspace.command('Close pane');
      await expect(pane.strip('close')).toBeVisible();
    },
  },
  {
    name: 'suspended',
    async reach({ workspace }) {
      const pane = await workspace.openFirstShell();
      await pane.type('~');
      await pane.press('Control+z');
      await expect(pane.strip('suspended')).toBeVisible();
    },
  },
  {
    name: 'dead-exit-code',
    async reach({ workspace }) {
      const pane = await workspace.openFirstShell();
      await pane.run('exit 2');
      await expect(pane.ending).toContainText('Exit code 2.');
    },
  },
  {
    name: 'dead-disconnected',
    async reach({ workspace }) {
      const pane = await workspace.openFirstShell();
      await pane.type('~.');
      await expect(pane.ending).toContainText('Disconnected');
    },
  },
  {
    name: 'engine-not-usable',
    async reach({ workspace }) {
      const pane = await workspace.openTabWithProfile('Contained');
      await expect(pane.ending).toContainText('did not open');
    },
  },
  {
    name: 'manifest-picker',
    async reach({ page }) {
      const picker = await new ManifestPicker(page).open();
      await expect(picker.manifest('report_writer')).toBeVisible();
    },
  },
  {
    name: 'governed',
    async reach({ page, folders }) {
      const picker = await new ManifestPicker(page).open();
      const pane = await picker.choose('py_calc', folders.project);
      await pane.call('assign', 'total = 40 + 2');
      await pane.command('show').click();
      await pane.line.fill('total;');
      await expect(pane.sent).toHaveAttribute('data-problem');
    },
  },
  {
    name: 'publish-dialog',
    async reach(airlock) {
      await openPublishDialog(airlock);
    },
  },
  {
    name: 'decision-open',
    async reach(airlock) {
      const dialog = await openPublishDialog(airlock);
      const folder = dialog.getByRole('textbox', { name: 'Goes to the folder' });
      await folder.fill(airlock.folders.scratch);
      await folder.press('Enter');
      await expect(new Decisions(airlock.page).windowButton).toBeVisible();
    },
  },
  {
    name: 'approvals',
    async reach({ page }) {
      await page.getByRole('button', { name: 'Approvals' }).click();
      await page.getByText('Policy in force').click();
      await expect(page.locator('.policy-text')).toContainText('permit');
    },
  },
  {
    name: 'publications',
    async reach({ page }) {
      const publications = await new PublicationsPage(page).open();
      await expect(publications.root).toContainText('Nothing has left a sandbox');
      await publications.verifyEverything();
      await expect(publications.audit).toBeVisible();
    },
  },
  {
    name: 'transcripts-none',
    async reach({ page }) {
      const transcripts = await new TranscriptsPage(page).open();
      await expect(transcripts.root).toContainText('No transcripts yet');
    },
  },
  {
    name: 'profile-dangerous',
    async reach({ workspace, page }) {
      const settings = await workspace.openSettings();
      await settings.section('Profiles');
      await settings.content.getByRole('button', { name: /^Online/ }).click();
      await settings.content.getByRole('radio', { name: /^Running container/ }).focus();
      await page.keyboard.press('Space');
      // No container is named, whether a daemon answers here or not.
      await expect(settings.content.locator('.engine-check[data-tone=off]')).toBeVisible();
    },
  },
  {
    name: 'try-session',
    async reach({ workspace }) {
      const settings = await workspace.openSettings();
      await settings.section('Profiles');
      await settings.content.getByRole('button', { name: 'Try it' }).click();
      await workspace.activePane.expectPrompt();
      await workspace.activePane.run('exit 3');
      await workspace.activePane.expectState('ended');
    },
  },
  {
    name: 'transcripts',
    async reach({ workspace, page }) {
      const shell = await workspace.openFirstShell();
      await shell.run('seq 30; printf "\\e[31mconnect ECONN%s\\e[0m\\n" REFUSED; exit 1');
      await shell.ending.getByRole('button', { name: 'Transcript' }).click();
      const transcripts = new TranscriptsPage(page);
      await transcripts.find('ECONNREFUSED', '1 in 1 transcript');
      await transcripts.hits.first().click();
      await transcripts.expectScreen('connect ECONNREFUSED');
      await transcripts.replay.getByRole('button', { name: 'Text' }).click();
      await expect(transcripts.text).toContainText('ECONNREFUSED');
    },
  },
  {
    name: 'transcripts-no-match',
    async reach({ workspace, page }) {
      await workspace.openFirstShell();
      const transcripts = await new TranscriptsPage(page).open();
      await transcripts.find('nowhere to be found', 'no matches');
    },
  },
];

/** The sections of the settings page. Each is reached from the first-run page, and from any other of them. */
export const SETTINGS_STATES: readonly State[] = SECTIONS.map((section) => ({
  name: `settings-${section.toLowerCase()}`,
  async reach({ workspace }) {
    const settings = await workspace.openSettings();
    await settings.section(section);
  },
}));

/** A shell with one file in /out, and the dialog that publishes it. */
async function openPublishDialog({ workspace, page }: Airlock): Promise<Locator> {
  const shell = await workspace.openFirstShell();
  await shell.run('printf "a,1\\n" > /out/report.csv; echo writ""ten');
  await shell.expectLine('written');
  await page.keyboard.press('Alt+Shift+P');
  const dialog = page.getByRole('dialog', { name: 'Publish a file' });
  await dialog.getByText('report.csv').click();
  return dialog;
}

export const STATE_SETTINGS = {
  profiles: [
    { id: 'shell', name: 'Shell' },
    { id: 'online', name: 'Online', network: 'host' as const },
    { id: 'contained', name: 'Contained', engine: 'container' as const },
  ],
};

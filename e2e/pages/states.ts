import type { Page } from '@playwright/test';
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
  /** Closes what lies over the page, where the next state needs that. */
  leave?(airlock: Airlock): Promise<void>;
}

/** States of one page in their order: the first is reached from the first-run page, each other from the one before it. */
export interface Walk {
  readonly name: string;
  readonly states: readonly State[];
}

async function pressEscape({ page }: Airlock): Promise<void> {
  await page.keyboard.press('Escape');
}

const FIRST_RUN: readonly State[] = [
  {
    name: 'first-run',
    async reach({ page }) {
      await expect(page.getByText(/bubblewrap [\d.]+ is ready/)).toBeVisible();
    },
  },
  {
    name: 'profiles-menu',
    async reach({ page }) {
      await page.getByRole('button', { name: 'New tab with profile' }).click();
      await expect(page.getByRole('menuitem', { name: 'Online' })).toBeVisible();
    },
    leave: pressEscape,
  },
  {
    name: 'manifest-picker',
    async reach({ page }) {
      const picker = await new ManifestPicker(page).open();
      await expect(picker.manifest('report_writer')).toBeVisible();
    },
  },
];

const PLACES: readonly State[] = [
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
];

const SHELL: readonly State[] = [
  {
    name: 'shell',
    async reach({ workspace }) {
      const pane = await workspace.openFirstShell();
      await pane.run('ls --color=always /usr; printf "\\e[32m%s\\e[0m\\n" ready');
      await pane.expectLine('ready');
    },
  },
  {
    name: 'palette',
    async reach({ workspace, page }) {
      await page.keyboard.press('Control+Shift+P');
      await expect(workspace.palette).toBeVisible();
    },
    leave: pressEscape,
  },
  {
    name: 'find',
    async reach({ workspace, page }) {
      const pane = workspace.activePane;
      await pane.run('seq 40');
      await pane.expectLine('40');
      await page.keyboard.press('Control+Shift+F');
      await page.keyboard.type('1');
      await expect(pane.find.getByRole('status')).toContainText('of');
    },
    leave: pressEscape,
  },
  {
    name: 'link-strip',
    async reach({ workspace }) {
      const pane = workspace.activePane;
      await pane.run("printf '\\e]8;;https://example.com/docs\\e\\\\%s-docs\\e]8;;\\e\\\\\\n' the");
      await pane.expectLine('the-docs');
      await pane.ctrlClick('the-docs');
      await expect(pane.strip('link')).toBeVisible();
    },
    leave: pressEscape,
  },
  {
    name: 'close-strip',
    async reach({ workspace }) {
      await workspace.command('Close pane');
      await expect(workspace.activePane.strip('close')).toBeVisible();
    },
  },
];

const SPLITS: readonly State[] = [
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
];

const SHELL_ENDS: readonly State[] = [
  {
    name: 'suspended',
    async reach({ workspace }) {
      const pane = await workspace.openFirstShell();
      await pane.type('~');
      await pane.press('Control+z');
      await expect(pane.strip('suspended')).toBeVisible();
    },
    async leave({ workspace }) {
      await workspace.activePane.type('x');
      await workspace.activePane.expectState('running');
    },
  },
  {
    name: 'paste-strip',
    async reach({ workspace, page }) {
      const pane = workspace.activePane;
      // A shell would take several lines without a question.
      await pane.run("clear; echo REA''DY; exec cat");
      await pane.expectLine('READY');
      await setClipboard(page, 'first line\nsecond\u200b line\x1b\n');
      await pane.press('Control+Shift+V');
      await expect(pane.strip('paste')).toBeVisible();
    },
    leave: pressEscape,
  },
  {
    name: 'dead-disconnected',
    async reach({ workspace }) {
      const pane = workspace.activePane;
      await pane.type('~.');
      await expect(pane.ending).toContainText('Disconnected');
    },
  },
  {
    name: 'dead-exit-code',
    async reach({ workspace }) {
      const pane = await workspace.openTab();
      await pane.run('exit 2');
      await expect(pane.ending).toContainText('Exit code 2.');
    },
  },
  {
    name: 'engine-not-usable',
    async reach({ workspace }) {
      const pane = await workspace.openTabWithProfile('Contained');
      await expect(pane.ending).toContainText('did not open');
    },
  },
];

const GOVERNED: readonly State[] = [
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
];

const PUBLISHING: readonly State[] = [
  {
    name: 'publish-dialog',
    async reach({ workspace, page }) {
      const shell = await workspace.openFirstShell();
      await shell.run('printf "a,1\\n" > /out/report.csv; echo writ""ten');
      await shell.expectLine('written');
      await page.keyboard.press('Alt+Shift+P');
      await publishDialog(page).getByText('report.csv').click();
    },
  },
  {
    name: 'decision-open',
    async reach({ page, folders }) {
      const folder = publishDialog(page).getByRole('textbox', { name: 'Goes to the folder' });
      await folder.fill(folders.scratch);
      await folder.press('Enter');
      await expect(new Decisions(page).windowButton).toBeVisible();
    },
  },
];

const publishDialog = (page: Page) => page.getByRole('dialog', { name: 'Publish a file' });

const TRY: readonly State[] = [
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
];

const TRANSCRIPTS: readonly State[] = [
  {
    name: 'transcripts-no-match',
    async reach({ workspace, page }) {
      await workspace.openFirstShell();
      const transcripts = await new TranscriptsPage(page).open();
      await transcripts.find('nowhere to be found', 'no matches');
    },
  },
  {
    name: 'transcripts',
    async reach({ workspace, page }) {
      await workspace.openSessions();
      const shell = workspace.activePane;
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
];

const SETTINGS: readonly State[] = SECTIONS.map((section) => ({
  name: `settings-${section.toLowerCase()}`,
  async reach({ workspace }) {
    const settings = await workspace.openSettings();
    await settings.section(section);
  },
}));

/**
 * The states that the window can be in, each reached as a person reaches it: for checks that look at every one. Needs the
 * settings of `STATE_SETTINGS`. A page goes through a handful of them: that takes long enough.
 */
export const WALKS: readonly Walk[] = [
  { name: 'the first run', states: FIRST_RUN },
  { name: 'the places', states: PLACES },
  { name: 'the settings', states: SETTINGS },
  { name: 'a shell', states: SHELL },
  { name: 'a shell in parts', states: SPLITS },
  { name: 'a shell that pauses and ends', states: SHELL_ENDS },
  { name: 'a profile that is tried', states: TRY },
  { name: 'a governed session', states: GOVERNED },
  { name: 'a file that is published', states: PUBLISHING },
  { name: 'transcripts', states: TRANSCRIPTS },
];

export const STATE_SETTINGS = {
  profiles: [
    { id: 'shell', name: 'Shell' },
    { id: 'online', name: 'Online', network: 'host' as const },
    { id: 'contained', name: 'Contained', engine: 'container' as const },
  ],
};

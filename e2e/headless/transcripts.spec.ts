import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Airlock, expect, test } from '../fixtures.ts';
import type { Pane } from '../pages/pane.ts';
import { PublicationsPage } from '../pages/publications-page.ts';
import { askToPublish } from '../pages/publish-dialog.ts';
import { TranscriptsPage } from '../pages/transcripts-page.ts';

/** A shell that published a file, said something before and after that, and has ended. */
async function recordedShell({ workspace, page, folders }: Airlock): Promise<Pane> {
  const shell = await workspace.openFirstShell();
  await shell.run('printf "a,1\\n" > /out/report.csv; echo need""le-before');
  await shell.expectLine('needle-before');
  const decisions = await askToPublish(page, 'report.csv', folders.scratch);
  await decisions.approve();
  await expect(shell.root.locator('[data-strip=publishing]')).toContainText('Published as');
  await shell.run('clear; echo need""le-after');
  await shell.expectLine('needle-after');
  await shell.run('exit 3');
  await expect(shell.ending).toContainText('Exit code 3.');
  return shell;
}

test('a search lands on its moment, from there to the decision and the receipt and back, and on to an export', async ({
  airlock,
}) => {
  const { page } = airlock;
  const shell = await recordedShell(airlock);
  const transcripts = new TranscriptsPage(page);

  await test.step('a dead pane leads to its transcript, at its end', async () => {
    await shell.ending.getByRole('button', { name: 'Transcript' }).click();
    await transcripts.expectState('paused');
    await transcripts.expectScreen('needle-after');
    await expect(transcripts.replay).toContainText('replay, nothing here is live');
  });

  await test.step('a hit lands on the moment it was written', async () => {
    await transcripts.find('needle-before', '1 in 1 transcript');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await transcripts.expectScreen('needle-before');
    await transcripts.expectScreen('needle-after', false);
    await expect(transcripts.replay.getByRole('search').getByRole('status')).toHaveText('1 of 1');
  });

  await test.step('its moments lead to the receipt, and the receipt back', async () => {
    const moments = await transcripts.allMoments();
    await expect(moments.getByText('Approved')).toBeVisible();
    await moments.getByRole('button', { name: 'Show receipt' }).click();
    const row = new PublicationsPage(page).row('report.csv');
    await expect(row).toHaveAttribute('data-linked', 'true');
    await row.getByRole('button', { name: /^Transcript of/ }).click();
    await expect(transcripts.moment).toContainText('Published');
    await transcripts.expectScreen('needle-after', false);
  });

  await test.step('the decision leads there as well', async () => {
    const moments = await transcripts.allMoments();
    await moments.getByRole('button', { name: 'Show decision' }).last().click();
    const record = page.getByRole('main', { name: 'Approvals' }).locator('[data-linked]');
    await expect(record).toContainText('report.csv');
    await record.getByRole('button', { name: /^Transcript of/ }).click();
    await expect(transcripts.moment).toContainText(/Approved|Published/);
  });

  await test.step('plays, pauses and seeks by keyboard', async () => {
    await page.keyboard.press('Home');
    await transcripts.expectState('paused');
    await expect.poll(() => transcripts.time()).toBe(0);
    await page.keyboard.press('Space');
    await expect.poll(() => transcripts.time()).toBeGreaterThan(0);
    await page.keyboard.press('Space');
    await transcripts.expectState('paused');
    const stopped = await transcripts.time();
    await page.keyboard.press('Period');
    await expect.poll(() => transcripts.time()).toBeGreaterThan(stopped);
    await page.keyboard.press('End');
    await transcripts.expectScreen('needle-after');
    // Nothing of a replay reaches the session, or could: it has ended, and the terminal takes no text.
    await page.keyboard.type('echo live');
    await transcripts.expectScreen('echo live', false);
  });

  await test.step('the text beside it seeks', async () => {
    await transcripts.replay.getByRole('button', { name: 'Text' }).click();
    await transcripts.text.locator('[data-line]', { hasText: 'needle-before' }).first().click();
    await transcripts.expectScreen('needle-before');
    await transcripts.expectScreen('needle-after', false);
  });

  await test.step('an export says what it removed, and holds nothing of it', async () => {
    await transcripts.replay.getByRole('button', { name: 'Export…' }).click();
    const dialog = transcripts.exporting;
    await dialog.getByText('Text', { exact: true }).click();
    // What is typed counts, also when it is not added.
    await dialog.getByRole('textbox', { name: 'Pattern to remove' }).fill('needle-b\\w+');
    await dialog.getByRole('button', { name: 'Make the export' }).click();
    await expect(dialog).toContainText('1 text removed');
    const { name, content } = await transcripts.download();
    expect(name).toMatch(/\.txt$/);
    expect(content).toContain('needle-after');
    expect(content).not.toContain('needle-before');
    await dialog.getByRole('button', { name: 'Change…' }).click();
    await expect(dialog.getByRole('listitem')).toContainText('needle-b\\w+');
    await expect(dialog.getByRole('radio', { name: 'Text' })).toBeChecked();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('deleting asks first, beside the terminal', async () => {
    await transcripts.replay.getByRole('button', { name: 'Transcript menu' }).click();
    await page.getByRole('menuitem', { name: /^Delete/ }).click();
    const asking = transcripts.replay.getByRole('region', { name: 'Delete this transcript' });
    await asking.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(transcripts.root).toContainText('No transcripts yet');
  });
});

test('an export that takes long says how far it is, and ends when it is cancelled or its dialog closed', async ({
  airlock,
}) => {
  const { page, folders, hostPid } = airlock;
  const transcripts = await new TranscriptsPage(page).open();
  const line = JSON.stringify([0.1, 'o', 'a'.repeat(40_000)]);
  const header = '{"version": 3, "term": {"cols": 80, "rows": 24}, "title": "long"}';
  await transcripts.import('long.cast', `${header}\n${`${line}\n`.repeat(50)}`);
  await expect(transcripts.title).toContainText('long');
  await transcripts.replay.getByRole('button', { name: 'Export…' }).click();
  const dialog = transcripts.exporting;
  for (const end of ['x', 'y', 'z']) {
    await dialog.getByRole('textbox', { name: 'Pattern to remove' }).fill(`(?i)\\w{1,131}${end}`);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  }
  const kept = () => readdir(join(folders.data, 'exchange')).catch(() => []);
  const make = dialog.getByRole('button', { name: 'Make the export' });
  const progress = dialog.getByRole('progressbar', { name: 'Making the export' });

  await make.click();
  await expect(progress).toHaveAttribute('aria-valuetext', /^\d+ % · .+ of .+ MiB$/);
  await dialog.getByRole('button', { name: 'Cancel the export' }).click();
  await expect(make).toBeEnabled();
  await expect(progress).toBeHidden();
  await expect.poll(kept).toEqual([]);

  await make.click();
  await expect(progress).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect.poll(kept).toEqual([]);

  const downloads: unknown[] = [];
  page.on('download', (download) => downloads.push(download));
  await transcripts.replay.getByRole('button', { name: 'Export…' }).click();
  await make.click();
  const download = dialog.getByRole('button', { name: 'Download' });
  await expect(download).toBeFocused();
  process.kill(hostPid, 'SIGSTOP');
  try {
    await download.click();
    await expect(dialog.getByRole('progressbar', { name: 'Downloading' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  } finally {
    process.kill(hostPid, 'SIGCONT');
  }
  await expect.poll(kept).toEqual([]);
  expect(downloads).toEqual([]);
});

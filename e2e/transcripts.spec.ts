import { FOLDER_TARGETS } from '../shared/terminal/inside.ts';
import { expect, test, withFolders } from './fixtures.ts';
import { readClipboard, setClipboard } from './pages/clipboard.ts';
import { TranscriptsPage } from './pages/transcripts-page.ts';

/** The same recording in each version of asciicast: two outputs, half a second apart, on a screen of 40 × 10. */
const FOREIGN = {
  v1: JSON.stringify({
    version: 1,
    width: 40,
    height: 10,
    duration: 0.6,
    title: 'made with v1',
    stdout: [
      [0.1, 'first of v1\r\n'],
      [0.5, '\u001b[32msecond\u001b[0m of v1'],
    ],
  }),
  v2: [
    { version: 2, width: 40, height: 10, timestamp: 1_700_000_000, title: 'made with v2' },
    [0.1, 'o', 'first of v2\r\n'],
    [0.3, 'm', 'a chapter'],
    [0.6, 'o', '\u001b[32msecond\u001b[0m of v2'],
  ],
  v3: [
    { version: 3, term: { cols: 40, rows: 10 }, timestamp: 1_700_000_000, title: 'made with v3' },
    [0.1, 'o', 'first of v3\r\n'],
    [0.2, 'm', 'a chapter'],
    [0.3, 'o', '\u001b[32msecond\u001b[0m of v3'],
    [0, 'x', '0'],
  ],
} as const;

const text = (recording: string | readonly unknown[]) =>
  typeof recording === 'string' ? recording : `${recording.map((line) => JSON.stringify(line)).join('\n')}\n`;

test("foreign recordings (asciicast v1, v2 and v3) are imported by the page's file dialog, and play", async ({
  airlock,
}) => {
  const { page } = airlock;
  const transcripts = await new TranscriptsPage(page).open();
  await expect(transcripts.root).toContainText('No transcripts yet');
  for (const [version, recording] of Object.entries(FOREIGN))
    await test.step(version, async () => {
      await transcripts.import(`${version}.cast`, text(recording));
      await expect(transcripts.title).toHaveText(`made with ${version}`);
      await transcripts.expectScreen(`second of ${version}`);
      await expect(transcripts.replay).toContainText('40 × 10');
      await expect(transcripts.replay).toContainText('imported');

      await page.keyboard.press('Home');
      await transcripts.expectScreen(`first of ${version}`, false);
      await transcripts.expectState('paused');
      const pressed = performance.now();
      await page.keyboard.press('Space');
      await transcripts.expectScreen(`first of ${version}`);
      await transcripts.expectScreen(`second of ${version}`);
      expect(performance.now() - pressed, 'it took its time').toBeGreaterThan(500);
      await transcripts.expectState('paused');
      expect(await transcripts.time()).toBeCloseTo(await transcripts.duration(), -1);
      await transcripts.find(`second of ${version}`, '1 in 1 transcript');
      if (version === 'v1') return;
      await expect((await transcripts.allMoments()).getByText('a chapter')).toBeVisible();
      await page.keyboard.press('Escape');
    });
});

test('a file that is no recording is refused with its line and why, and nothing is kept', async ({
  airlock,
}) => {
  const transcripts = await new TranscriptsPage(airlock.page).open();
  await transcripts.import('torn.cast', text([FOREIGN.v2[0], FOREIGN.v2[1], [0.05, 'o', 'earlier']]));
  const refusal = transcripts.root.getByRole('alert');
  await expect(refusal).toContainText('torn.cast was not imported.');
  await expect(refusal).toContainText('Line 3: the time is before');
  await refusal.getByRole('button', { name: 'Dismiss' }).click();
  await expect(refusal).toBeHidden();
  await expect(transcripts.root).toContainText('No transcripts yet');
});

test('an import goes on while one works elsewhere, and takes no key from there', async ({ airlock }) => {
  const { workspace, page, hostPid } = airlock;
  const shell = await workspace.openFirstShell();
  const transcripts = await new TranscriptsPage(page).open();
  process.kill(hostPid, 'SIGSTOP');
  try {
    await transcripts.import('v2.cast', text(FOREIGN.v2));
    await expect(transcripts.root.getByRole('progressbar', { name: 'Importing v2.cast' })).toBeVisible();
    await page.getByRole('navigation', { name: 'Places' }).getByRole('button', { name: 'Sessions' }).click();
    await expect(transcripts.root).toBeHidden();
  } finally {
    process.kill(hostPid, 'SIGCONT');
  }
  await expect(page.getByText('v2.cast was imported.')).toBeAttached();
  await shell.run('echo ty""ped');
  await shell.expectLine('typed');
  await transcripts.open();
  await expect(transcripts.rows.first()).toBeVisible();
  await expect(transcripts.root.getByRole('option', { name: /made with v2/ })).toBeVisible();
  await expect(transcripts.title).toBeHidden();
});

test.describe('a session that still runs', () => {
  test.use({ settings: withFolders() });

  test('is followed by the replay of its transcript until it ends', async ({ airlock }) => {
    const { workspace, page, releaseFifo } = airlock;
    const shell = await workspace.openFirstShell();
    await shell.run(
      `clear; echo st""age-one; cat ${FOLDER_TARGETS.project}/go; echo st""age-two; cat ${FOLDER_TARGETS.project}/go; echo st""age-three; exit 3`,
    );
    await shell.expectLine('stage-one');
    const transcripts = await new TranscriptsPage(page).open();
    await transcripts.rows.first().click();
    await transcripts.expectScreen('stage-one');
    await expect(transcripts.replay.getByText('follows', { exact: true })).toBeVisible();
    await expect(transcripts.rows.first()).toContainText('running');
    await transcripts.replay.getByRole('button', { name: 'Text' }).click();
    const before = await transcripts.duration();

    await releaseFifo('go');
    await transcripts.expectScreen('stage-two');
    await expect.poll(() => transcripts.duration()).toBeGreaterThan(before);
    expect(await transcripts.time()).toBeCloseTo(await transcripts.duration(), -1);

    await test.step('whoever looks at an earlier moment stays there', async () => {
      await page.keyboard.press('Home');
      await expect.poll(() => transcripts.time()).toBe(0);
      await expect(transcripts.replay.getByText('follows', { exact: true })).toBeHidden();
      const shown = await transcripts.duration();
      await releaseFifo('go');
      await expect.poll(() => transcripts.duration()).toBeGreaterThan(shown);
      expect(await transcripts.time()).toBe(0);
      await transcripts.expectScreen('stage-one', false);
    });

    await expect(transcripts.replay).toContainText('Exit code 3');
    await page.keyboard.press('End');
    await transcripts.expectScreen('stage-three');
    await expect(transcripts.replay.getByText('follows', { exact: true })).toBeHidden();
    for (const stage of ['stage-one', 'stage-two', 'stage-three'])
      await expect(transcripts.text.locator('[data-line]', { hasText: stage }).last()).toBeVisible();
    await expect(transcripts.rows.first()).toContainText('Exit code 3');
  });
});

test('a transcript is found, replayed, sought and copied from without a mouse', async ({ airlock }) => {
  const { workspace, page } = airlock;
  const { keyboard } = page;
  const shell = await workspace.openFirstShell();
  await shell.run('clear; echo ne""edle; seq 3; exit 0');
  await expect(shell.ending).toContainText('Exit code 0.');
  const transcripts = new TranscriptsPage(page);

  await test.step('from the palette into the list', async () => {
    await workspace.command('Search transcripts');
    await expect(transcripts.search).toBeFocused();
    await expect(async () => {
      await keyboard.press('Control+A');
      await keyboard.press('Backspace');
      await keyboard.type('needle');
      await expect(transcripts.count).toHaveText('1 in 1 transcript', { timeout: 2_000 });
    }).toPass();
    await keyboard.press('ArrowDown');
    await expect(transcripts.root.getByRole('listbox', { name: 'Transcripts' })).toBeFocused();
    await keyboard.press('j');
    await expect(transcripts.root.locator('.result[aria-selected=true]')).toHaveAttribute('data-kind', 'hit');
    await keyboard.press('Enter');
    await expect(transcripts.replay).toBeFocused();
    await transcripts.expectScreen('needle');
  });

  await test.step('seek, step, play', async () => {
    await keyboard.press('Home');
    await expect.poll(() => transcripts.time()).toBe(0);
    await keyboard.press('Period');
    await expect.poll(() => transcripts.time()).toBeGreaterThan(0);
    const stepped = await transcripts.time();
    await keyboard.press('Period');
    await expect.poll(() => transcripts.time()).toBeGreaterThan(stepped);
    await keyboard.press('Comma');
    await expect.poll(() => transcripts.time()).toBe(stepped);
    await keyboard.press('ArrowRight');
    await expect.poll(() => transcripts.time()).toBeGreaterThan(stepped);
    await keyboard.press('ArrowLeft');
    await expect.poll(() => transcripts.time()).toBe(0);
  });

  await test.step('speed', async () => {
    const speed = transcripts.replay.getByRole('button', { name: /^Speed/ });
    await expect(speed).toHaveText('1×');
    await keyboard.press('>');
    await expect(speed).toHaveText('2×');
    await keyboard.press('<');
    await keyboard.press('<');
    await expect(speed).toHaveText('0.5×');
  });

  await test.step('copy', async () => {
    await setClipboard(page, 'nothing yet');
    await keyboard.press('End');
    await transcripts.expectScreen('3');
    // The screen is played behind a picture of the last one until the seek is over.
    await transcripts.expectState('paused');
    await keyboard.press('Control+Shift+A');
    await keyboard.press('Control+Shift+C');
    await expect.poll(() => readClipboard(page)).toContain('needle');
  });

  await test.step('back to the list', async () => {
    await keyboard.press('Escape');
    await expect(transcripts.root.getByRole('listbox', { name: 'Transcripts' })).toBeFocused();
  });
});

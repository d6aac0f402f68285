import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, type Folders, type SettingsFile, test } from '../fixtures.ts';
import { putRecording } from '../pages/recorded.ts';
import { TranscriptsPage } from '../pages/transcripts-page.ts';

const ID = '3f0e7a52-6c1d-4b9a-8e2f-5d4c3b2a1908';
const APPROVAL = '0d2f6c1a-8d55-4a36-9a3e-0b8f5f1f2a3b';

/** A recording that stands in the data folder before the host starts. */
function recorded(
  events: Parameters<typeof putRecording>[2],
  settings: SettingsFile = {},
  options: Parameters<typeof putRecording>[3] = {},
) {
  return async ({ folders }: { folders: Folders }, use: (settings: SettingsFile) => Promise<void>) => {
    const title = 'A title that is far too long for any header of a player, and that goes on and on';
    await putRecording(folders.data, ID, events, { title, ...options });
    await use(settings);
  };
}

/** Whether all of an element can be seen, and nothing around it cuts it. */
async function isWhole(element: Locator): Promise<boolean> {
  return element.evaluate((shown) => {
    const { left, right, width } = shown.getBoundingClientRect();
    if (width === 0) return false;
    for (let around = shown.parentElement; around !== null; around = around.parentElement) {
      if (getComputedStyle(around).overflowX === 'visible') continue;
      const box = around.getBoundingClientRect();
      if (left < box.left - 0.5 || right > box.right + 0.5) return false;
    }
    return left >= 0 && right <= innerWidth;
  });
}

test.describe('in a window of 900 × 600', () => {
  const filler = 'lorem ipsum dolor sit amet '.repeat(6);
  test.use({
    windowOptions: { viewport: { width: 900, height: 600 } },
    settings: recorded([
      `${filler}needle at the end\r\n`,
      `needle at the start ${filler}\r\n`,
      `${filler}needle in between, (1) ${filler}\r\n`,
      'a needle in a short line\r\n',
    ]),
  });

  test('a match is whole in every row of the list, with both sides of it', async ({ airlock }) => {
    const transcripts = await new TranscriptsPage(airlock.page).open();
    await transcripts.find('needle', '4 in 1 transcript');
    await expect(transcripts.hits).toHaveCount(4);
    for (const hit of await transcripts.hits.all())
      expect(await isWhole(hit.locator('mark').first())).toBe(true);
    // The blank between what comes before and the match is where it is in the line.
    const gap = await transcripts.hits.last().evaluate((hit) => {
      const [before, mark] = ['.hit-before .visible-text', 'mark'].map((part) => hit.querySelector(part));
      const text = document.createRange();
      text.selectNodeContents(before?.firstChild ?? hit);
      text.setEnd(text.endContainer, text.toString().trimEnd().length);
      return (mark?.getBoundingClientRect().left ?? 0) - text.getBoundingClientRect().right;
    });
    expect(gap).toBeGreaterThan(4);
    const widths = await transcripts.hits.evaluateAll((hits) =>
      hits.map((hit) =>
        ['.hit-before', '.hit-after'].map((side) => hit.querySelector(side)?.clientWidth ?? 0),
      ),
    );
    const [end, start, middle, short] = widths as [number, number][];
    // What one side does not need the other has; where both need more they have the same.
    expect(end?.[0]).toBeGreaterThan(end?.[1] ?? 0);
    expect(start?.[0]).toBe(0);
    expect(Math.abs((middle?.[0] ?? 0) - (middle?.[1] ?? 99))).toBeLessThanOrEqual(1);
    expect(short?.every((width) => width > 0)).toBe(true);
  });

  test('a match far to the right is scrolled to in the text as well', async ({ airlock }) => {
    const transcripts = await new TranscriptsPage(airlock.page).open();
    await transcripts.find('needle at the end', '1 in 1 transcript');
    await transcripts.hits.first().click();
    await transcripts.replay.getByRole('button', { name: 'Text' }).click();
    const mark = transcripts.text.locator('[data-current] mark');
    await expect.poll(() => isWhole(mark)).toBe(true);
    await transcripts.find('needle at the start', '1 in 1 transcript');
    await transcripts.hits.first().click();
    await expect(mark).toHaveText('needle at the start');
    await expect.poll(() => isWhole(mark)).toBe(true);
  });

  test('a long title gives way, and that nothing here is live stays whole', async ({ airlock }) => {
    const transcripts = await new TranscriptsPage(airlock.page).open();
    await transcripts.rows.first().click();
    const notice = transcripts.replay.getByText('replay, nothing here is live', { exact: true });
    await expect(notice).toBeVisible();
    for (const width of [900, 1280]) {
      await airlock.page.setViewportSize({ width, height: 600 });
      expect(await isWhole(notice), `${width}`).toBe(true);
      expect(await isWhole(transcripts.replay.getByRole('button', { name: 'Transcript menu' }))).toBe(true);
      const [shown, needed] = await transcripts.title.evaluate((title) => [
        title.clientWidth,
        title.scrollWidth,
      ]);
      expect(shown).toBeLessThan(needed ?? 0);
      expect(shown).toBeGreaterThan(60);
    }
    await expect(transcripts.title).toHaveAttribute('title', /^A title that is .* goes on and on$/);
  });
});

test.describe('keys in the list', () => {
  test.use({
    settings: async ({ folders }, use) => {
      const older = { title: 'the older one', startedAt: '2026-05-01T10:00:00Z' };
      await putRecording(folders.data, ID, ['needle\r\n'], older);
      const newer = { title: 'the newer one', startedAt: '2026-05-02T10:00:00Z' };
      await putRecording(folders.data, ID.replace(/^./, '4'), ['hay\r\n'], newer);
      await use({});
    },
  });

  test('Enter opens what was typed before it, not what is still shown of the search before', async ({
    airlock,
  }) => {
    const transcripts = await new TranscriptsPage(airlock.page).open();
    await transcripts.find('needle', '1 in 1 transcript');
    await transcripts.search.fill('');
    await expect(transcripts.rows.first()).toContainText('the newer one');
    process.kill(airlock.hostPid, 'SIGSTOP');
    try {
      await transcripts.search.fill('needle');
      await airlock.page.keyboard.press('Enter');
    } finally {
      process.kill(airlock.hostPid, 'SIGCONT');
    }
    await expect(transcripts.title).toHaveText('the older one');
    await transcripts.expectScreen('needle');
  });

  test('act on the same row when another one has come above it', async ({ airlock }) => {
    const { page, folders } = airlock;
    const transcripts = await new TranscriptsPage(page).open();
    await expect(transcripts.rows).toHaveCount(2);
    await page.keyboard.press('j');
    const selected = transcripts.root.locator('.result[aria-selected=true]');
    await expect(selected).toContainText('the older one');
    const newest = { title: 'the newest one', startedAt: '2026-05-03T10:00:00Z' };
    await putRecording(folders.data, ID.replace(/^./, '5'), ['hay\r\n'], newest);
    await expect(transcripts.rows).toHaveCount(3);
    await expect(selected).toContainText('the older one');
    const list = transcripts.root.getByRole('listbox', { name: 'Transcripts' });
    const active = await list.getAttribute('aria-activedescendant');
    expect(await selected.getAttribute('id')).toBe(active);
    await page.keyboard.press('Enter');
    await expect(transcripts.title).toHaveText('the older one');
  });
});

test.describe('moments', () => {
  const about = { command: 'report', label: 'report: prompt_observed' };
  test.use({
    settings: recorded([
      { moment: { kind: 'command-start', command: 'report', line: 'report --all', label: 'x' } },
      {
        moment: {
          kind: 'approval-decided',
          approvalId: APPROVAL,
          outcome: 'expired',
          label: 'Expired: report',
        },
      },
      'text\r\n',
      { moment: { kind: 'command-end', ...about, status: 'prompt_observed' } },
      { moment: { kind: 'command-end', ...about, status: 'session_finalized' } },
      { moment: { kind: 'command-end', ...about, status: 'the worker timed out' } },
    ]),
  });

  test('are told in words', async ({ airlock }) => {
    const transcripts = await new TranscriptsPage(airlock.page).open();
    await transcripts.rows.first().click();
    await transcripts.expectScreen('text');
    const moments = (await transcripts.allMoments()).getByRole('listitem');
    await expect(moments).toHaveText([
      /Command sent report --all/,
      /Not decided in time report/,
      /Command answered report/,
      /Session finalized report/,
      /Command failed report: the worker timed out/,
    ]);
  });
});

test.describe('colours', () => {
  const osc = (payload: string) => `\x1b]${payload}\x1b\\`;
  test.use({
    settings: recorded(
      [
        'plain \x1b[31mred needle\x1b[m\r\n',
        { waitMs: 1_000 },
        `${osc('4;1;#123456')}${osc('11;#654321')}own\r\n`,
        { waitMs: 1_000 },
        `${osc('104')}${osc('111')}back\r\n`,
      ],
      { appearance: { minimumContrast: 1 } },
    ),
  });

  test('follow a theme that changes while they are shown, and those of the program stay', async ({
    airlock,
  }) => {
    const { page } = airlock;
    await page.emulateMedia({ colorScheme: 'dark' });
    const transcripts = await new TranscriptsPage(page).open();
    await transcripts.find('needle', '1 in 1 transcript');
    await transcripts.hits.first().click();
    const terminal = transcripts.replay.locator('.replay-host > .xterm:not(.replay-still)');
    const red = terminal.locator('.xterm-rows .xterm-fg-1').first();
    const colour = (element: Locator, property: 'color' | 'background-color' | 'outline-color') =>
      element.evaluate((shown, name) => getComputedStyle(shown).getPropertyValue(name), property);
    const background = () => colour(terminal.locator('.xterm-scrollable-element'), 'background-color');
    const mark = terminal.locator('.xterm-find-result-decoration[style*=outline]').first();
    const token = (name: string) =>
      page.evaluate((property) => {
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.color = `var(${property})`;
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      }, name);

    await expect.poll(() => colour(mark, 'outline-color')).toBe(await token('--term-match-active'));
    const dark = await colour(mark, 'outline-color');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    await expect.poll(() => colour(mark, 'outline-color')).toBe(await token('--term-match-active'));
    expect(await colour(mark, 'outline-color')).not.toBe(dark);

    await page.keyboard.press('Escape');
    const themeRed = await token('--term-red');
    const themeBackground = await token('--term-background');
    const seek = async (key: string, shown: string, there = true) => {
      await transcripts.replay.focus();
      await page.keyboard.press(key);
      await transcripts.expectScreen(shown, there);
    };
    await seek('Home', 'needle', false);
    await seek('Period', 'needle');
    expect([await colour(red, 'color'), await background()]).toEqual([themeRed, themeBackground]);
    await seek('Period', 'own');
    await expect.poll(() => colour(red, 'color')).toBe('rgb(18, 52, 86)');
    expect(await background()).toBe('rgb(101, 67, 33)');
    // Another theme leaves what the program set.
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect.poll(() => colour(red, 'color')).toBe('rgb(18, 52, 86)');
    await seek('Period', 'back');
    await expect.poll(() => colour(red, 'color')).toBe(await token('--term-red'));
    // Back again, by a seek, and to before the program set any.
    await seek('Comma', 'own');
    await expect.poll(background).toBe('rgb(101, 67, 33)');
    await seek('Comma', 'needle');
    await expect.poll(background).toBe(await token('--term-background'));
    await expect.poll(() => colour(red, 'color')).toBe(await token('--term-red'));
  });
});

test.describe('text of characters of three bytes', () => {
  const lines = Array.from({ length: 50 }, (_, n) => `${n} ${'it’s — an “example” … of '.repeat(7)}end`);
  const output = lines.map((line) => `${line}\r\n`).join('');
  test.use({ settings: recorded([output], {}, { size: { cols: 200, rows: 60 } }) });

  test('is shown whole after a seek (B01)', async ({ airlock }) => {
    const transcripts = await new TranscriptsPage(airlock.page).open();
    await transcripts.rows.first().click();
    await expect.poll(() => transcripts.screen()).toEqual(lines);
  });
});

test.describe('a few bytes that clear the largest screen again and again', () => {
  test.use({
    settings: recorded(
      ['begun\r\n', { waitMs: 1_000 }, `${'\x1bc'.repeat(300)}end`],
      {},
      { size: { cols: 1_000, rows: 400 } },
    ),
  });

  test('leave the page its turns while they are sought (B30)', async ({ airlock }) => {
    const { page } = airlock;
    const transcripts = await new TranscriptsPage(page).open();
    // Of the time from the click on, the share that the longest turn has.
    const share = page.evaluate(async () => {
      const shown = () =>
        document.querySelector('.replay-host > .xterm:not(.replay-still) .xterm-rows')?.textContent;
      const turn = () => new Promise((resolve) => setTimeout(resolve));
      let [clicked, longestMs] = [Number.NaN, 0];
      document.addEventListener(
        'click',
        () => {
          clicked = performance.now();
        },
        { capture: true, once: true },
      );
      while (!shown()?.includes('end')) {
        const began = performance.now();
        await turn();
        if (began >= clicked) longestMs = Math.max(longestMs, performance.now() - began);
      }
      return longestMs / (performance.now() - clicked);
    });
    await transcripts.rows.first().click();
    expect(await share).toBeLessThan(1 / 4);
    expect(await transcripts.duration()).toBeGreaterThan(900);
  });
});

test.describe('rules of keeping', () => {
  test.use({
    settings: async ({ folders }, use) => {
      const startedAt = '2020-01-01T00:00:00Z';
      for (const n of [1, 2])
        await putRecording(folders.data, ID.replace(/^./, `${n}`), ['old\r\n'], {
          title: `old ${n}`,
          startedAt,
        });
      await putRecording(folders.data, ID, ['of one profile\r\n'], {
        ...{ title: 'kept by its profile', startedAt },
        facts: { profileId: 'kept' },
      });
      const kept = { id: 'kept', name: 'Kept', keepDays: 36_500 };
      await use({ profiles: [{ id: 'shell', name: 'Shell' }, kept] });
    },
  });

  test('show what would go, delete it when that is confirmed, and the log has it first', async ({
    airlock,
  }) => {
    const { workspace, page, folders } = airlock;
    const transcripts = await new TranscriptsPage(page).open();
    // Rules are about what the host has found in its folder.
    await expect(transcripts.rows).toHaveCount(3);
    const settings = await workspace.openSettings();
    await settings.section('Transcripts');
    const rules = page.getByRole('region', { name: 'What these rules delete' });
    await rules.getByRole('button', { name: 'What would go now' }).click();
    const goes = rules.getByRole('list', { name: 'Transcripts that would go' }).getByRole('listitem');
    await expect(goes).toHaveText([/old [12].*Older than 90 days\./, /old [12].*Older than 90 days\./]);
    await rules.getByRole('button', { name: 'Keep them' }).click();
    await expect(goes).toHaveCount(0);
    await transcripts.open();
    await expect(transcripts.rows).toHaveCount(3);

    await workspace.openSettings();
    await settings.section('Transcripts');
    await rules.getByRole('button', { name: 'What would go now' }).click();
    await rules.getByRole('button', { name: 'Delete 2 transcripts' }).click();
    await expect(rules.getByRole('status')).toHaveText('Deleted 2 transcripts.');
    await transcripts.open();
    await expect(transcripts.rows).toHaveCount(1);
    await expect(transcripts.rows).toContainText('kept by its profile');
    expect(await readdir(join(folders.data, 'transcripts'))).toContain(ID);
    expect(await readdir(join(folders.data, 'transcripts'))).not.toContain(ID.replace(/^./, '1'));
    const log = await readFile(join(folders.data, 'audit/log.jsonl'), 'utf8');
    expect(log.match(/transcripts\.deletion-ordered/g)).toHaveLength(1);
    expect(log).toContain(ID.replace(/^./, '2'));
  });
});

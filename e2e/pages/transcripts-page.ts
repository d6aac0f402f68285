import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expect } from '../harness/expect.ts';

/** The place with the transcripts: the list on the left, a replay on the right. */
export class TranscriptsPage {
  readonly page: Page;
  readonly root: Locator;
  readonly replay: Locator;

  constructor(page: Page) {
    this.page = page;
    this.root = page.getByRole('main', { name: 'Transcripts' });
    this.replay = this.root.getByRole('region', { name: 'Replay' });
  }

  async open(): Promise<this> {
    const rail = this.page.getByRole('navigation', { name: 'Places' });
    await rail.getByRole('button', { name: 'Transcripts' }).click();
    await expect(this.root).toBeVisible();
    return this;
  }

  get search(): Locator {
    return this.root.getByRole('searchbox', { name: 'Search all transcripts' });
  }

  get count(): Locator {
    return this.root.locator('.search-count');
  }

  /** Transcripts and the lines that were found in them. */
  get rows(): Locator {
    return this.root.getByRole('option');
  }

  get hits(): Locator {
    return this.root.locator('.result[data-kind=hit]');
  }

  /** Types a text and waits for what is found: lines are searchable a moment after they were written. */
  async find(text: string, words: string): Promise<void> {
    await expect(async () => {
      await this.search.fill('');
      await this.search.fill(text);
      await expect(this.count).toHaveText(words, { timeout: 2_000 });
    }).toPass();
  }

  /** What the replay shows, without blank lines. */
  async screen(): Promise<string[]> {
    const rows = this.replay.locator('.replay-host > .xterm:not(.replay-still) .xterm-rows > div');
    const lines = await rows.allTextContents();
    return lines.map((line) => line.replaceAll('\u00a0', ' ').trimEnd()).filter((line) => line !== '');
  }

  async expectScreen(part: string, there = true): Promise<void> {
    const screen = expect.poll(async () => (await this.screen()).join('\n'));
    if (there) await screen.toContain(part);
    else await screen.not.toContain(part);
  }

  /** Chooses a file in the dialog of "Import a .cast file…", as a person does. */
  async import(name: string, content: string): Promise<void> {
    const [chooser] = await Promise.all([
      this.page.waitForEvent('filechooser'),
      this.root.getByRole('button', { name: 'Import a .cast file…' }).last().click(),
    ]);
    await chooser.setFiles({ name, mimeType: 'application/x-asciicast', buffer: Buffer.from(content) });
  }

  get title(): Locator {
    return this.replay.getByRole('heading', { level: 2 });
  }

  get timeline(): Locator {
    return this.replay.getByRole('slider', { name: 'Time' });
  }

  /** How long the replayed transcript is, milliseconds. */
  async duration(): Promise<number> {
    return Number(await this.timeline.getAttribute('aria-valuemax'));
  }

  /** Where the replay stands, milliseconds. */
  async time(): Promise<number> {
    return Number(await this.replay.getAttribute('data-time'));
  }

  async expectState(state: 'paused' | 'playing'): Promise<void> {
    await expect(this.replay).toHaveAttribute('data-state', state);
  }

  /** The line below the timeline: what happened last. */
  get moment(): Locator {
    return this.replay.locator('.moment-line');
  }

  get text(): Locator {
    return this.replay.getByRole('region', { name: 'Text of the transcript' });
  }

  async allMoments(): Promise<Locator> {
    await this.replay.getByRole('button', { name: /moments?:?/ }).click();
    return this.page.getByRole('dialog', { name: /moments?:?/ });
  }

  get exporting(): Locator {
    return this.page.getByRole('dialog', { name: /^Export/ });
  }

  /** Presses "Download" and reads what comes. */
  async download(): Promise<{ readonly name: string; readonly content: string }> {
    const [download] = await Promise.all([
      this.page.waitForEvent('download'),
      this.exporting.getByRole('button', { name: 'Download' }).click(),
    ]);
    return { name: download.suggestedFilename(), content: await readFile(await download.path(), 'utf8') };
  }
}

import type { Locator, Page } from '@playwright/test';
import { expect } from '../harness/expect.ts';
import { Pane } from './pane.ts';
import { SettingsPage } from './settings-page.ts';

/** The whole window. */
export class Workspace {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get tabs(): Locator {
    return this.page.getByRole('tab');
  }

  tab(name: string | RegExp): Locator {
    return this.page.getByRole('tab', { name });
  }

  get activeTab(): Locator {
    return this.page.getByRole('tab', { selected: true });
  }

  get panes(): Locator {
    return this.page.locator('[data-pane]');
  }

  /** The pane at this place of the visible tab. */
  pane(index = 0): Pane {
    return new Pane(this.page, this.panes.nth(index));
  }

  /** The pane that commands act on. */
  get activePane(): Pane {
    return new Pane(this.page, this.page.locator('[data-pane][data-active]'));
  }

  get statusLine(): Locator {
    return this.page.locator('.status-line');
  }

  get palette(): Locator {
    return this.page.getByRole('dialog', { name: 'Commands' });
  }

  /** From the first-run page: Enter, then the shell's prompt. */
  async openFirstShell(): Promise<Pane> {
    await expect(this.page.getByRole('button', { name: 'Open a shell' })).toBeEnabled();
    await this.page.keyboard.press('Enter');
    const pane = this.pane();
    await pane.expectPrompt();
    return pane;
  }

  /** Opens a tab with the default profile by its button, and waits for its prompt. */
  async openTab(): Promise<Pane> {
    const before = await this.tabs.count();
    await this.page.getByRole('button', { name: 'New tab', exact: true }).click();
    await expect(this.tabs).toHaveCount(before + 1);
    const pane = this.activePane;
    await pane.expectPrompt();
    return pane;
  }

  async openTabWithProfile(name: string): Promise<Pane> {
    const before = await this.tabs.count();
    await this.page.getByRole('button', { name: 'New tab with profile' }).click();
    await this.page.getByRole('menuitem', { name }).click();
    await expect(this.tabs).toHaveCount(before + 1);
    return this.activePane;
  }

  /** Drags from the start of one thing to a place within another, given as shares of its width and height. */
  async drag(from: Locator, to: Locator, place: { x: number; y: number }): Promise<void> {
    const start = await from.boundingBox();
    const end = await to.boundingBox();
    if (start === null || end === null) throw new Error('What is dragged, or where it goes, has no place.');
    await this.page.mouse.move(start.x + 20, start.y + start.height / 2);
    await this.page.mouse.down();
    await this.page.mouse.move(end.x + end.width * place.x, end.y + end.height * place.y, { steps: 8 });
    await this.page.mouse.up();
  }

  /** Runs a command by its title, through the palette. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press('Control+Shift+P');
    await expect(this.palette).toBeVisible();
    await this.palette.locator('input').fill(title);
    await this.palette.getByRole('option', { name: title }).first().click();
    await expect(this.palette).toBeHidden();
  }

  async openSettings(): Promise<SettingsPage> {
    await this.page
      .getByRole('navigation', { name: 'Places' })
      .getByRole('button', { name: 'Settings' })
      .click();
    return new SettingsPage(this.page);
  }

  async openSessions(): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Places' })
      .getByRole('button', { name: 'Sessions' })
      .click();
  }
}

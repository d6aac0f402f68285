import type { Locator, Page } from '@playwright/test';
import { expect } from '../harness/expect.ts';
import { GovernedPane } from './governed-pane.ts';

/** The dialog that opens governed sessions. */
export class ManifestPicker {
  readonly page: Page;
  readonly root: Locator;

  constructor(page: Page) {
    this.page = page;
    this.root = page.getByRole('dialog', { name: 'Open a governed session' });
  }

  get search(): Locator {
    return this.root.getByRole('combobox', { name: 'Search manifests' });
  }

  get folder(): Locator {
    return this.root.getByRole('textbox', { name: 'Folder of its files' });
  }

  manifest(name: string): Locator {
    return this.root.getByRole('option', { name: new RegExp(`^${name} `) });
  }

  /** Files that cannot be used. */
  get problems(): Locator {
    return this.root.locator('[data-findings=problems]');
  }

  /** About manifests that can be used. */
  get warnings(): Locator {
    return this.root.locator('[data-findings=warnings]');
  }

  async open(): Promise<this> {
    // It is drawn once the page is connected and knows its settings.
    await expect(this.page.locator('.status-line')).toBeVisible();
    await this.page.keyboard.press('Alt+Shift+O');
    await expect(this.root).toBeVisible();
    return this;
  }

  /** `folder` is the root of the session's file grants. */
  async choose(name: string, folder?: string): Promise<GovernedPane> {
    if (folder !== undefined) {
      await this.folder.fill(folder);
      await this.folder.press('Enter');
    }
    await this.manifest(name).click();
    const pane = new GovernedPane(this.page, this.page.locator('[data-pane][data-active]'));
    await expect(pane.line).toBeFocused();
    return pane;
  }
}

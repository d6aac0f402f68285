import type { Locator, Page } from '@playwright/test';

/** The place with the receipts. */
export class PublicationsPage {
  readonly page: Page;
  readonly root: Locator;

  constructor(page: Page) {
    this.page = page;
    this.root = page.getByRole('main', { name: 'Publications' });
  }

  async open(): Promise<this> {
    const rail = this.page.getByRole('navigation', { name: 'Places' });
    await rail.getByRole('button', { name: 'Publications' }).click();
    return this;
  }

  get rows(): Locator {
    return this.root.locator('[data-publication]');
  }

  row(text: string): Locator {
    return this.rows.filter({ hasText: text });
  }

  /** The check of a whole log, once it was made. */
  get audit(): Locator {
    return this.root.locator('[data-audit]');
  }

  async verify(text: string): Promise<Locator> {
    const row = this.row(text);
    await row.getByRole('button', { name: /^Verify/ }).click();
    return row.locator('[data-check]');
  }

  async verifyEverything(): Promise<Locator> {
    await this.root.getByRole('button', { name: 'Verify everything' }).click();
    return this.audit;
  }
}

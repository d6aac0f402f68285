import type { Locator, Page } from '@playwright/test';

export const SECTIONS = ['Appearance', 'Terminal', 'Keys', 'Profiles', 'Engines', 'Transcripts'] as const;
export type Section = (typeof SECTIONS)[number];

export class SettingsPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get content(): Locator {
    return this.page.getByRole('main', { name: 'Settings' });
  }

  async section(name: Section): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Settings' })
      .getByRole('button', { name, exact: true })
      .click();
    await this.content.getByRole('heading', { name, level: 2 }).waitFor();
  }

  field(label: string): Locator {
    return this.content.getByLabel(label, { exact: true });
  }
}

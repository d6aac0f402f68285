import type { FrameLocator, Locator, Page } from '@playwright/test';
import { APPROVAL } from '../../shared/governed/limits.ts';
import { expect } from '../harness/expect.ts';

/** The dock with the decisions, and in it the approval page on its own origin. Headless: on a desktop it is a view. */
export class Decisions {
  readonly page: Page;
  readonly dock: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dock = page.getByRole('complementary', { name: 'Decisions' });
  }

  get frame(): FrameLocator {
    return this.page.frameLocator('[data-approval-frame]');
  }

  get approveButton(): Locator {
    return this.frame.getByRole('button', { name: 'Approve once' });
  }

  get badge(): Locator {
    return this.page.getByRole('navigation', { name: 'Places' }).locator('.rail-count');
  }

  /** As a person does: comes to the page, reads to the end, waits until Approve is armed, and presses and holds it. */
  async approve(): Promise<void> {
    await this.read();
    await expect(this.approveButton).toBeEnabled();
    await this.approveButton.click({ delay: APPROVAL.holdMs + 50 });
  }

  async deny(reason = ''): Promise<void> {
    await this.frame.getByRole('textbox', { name: /Reason for denying/ }).fill(reason);
    await this.frame.getByRole('button', { name: 'Deny' }).click();
  }

  /** A click on its words gives the page the focus; then everything of the request is scrolled past. */
  async read(): Promise<void> {
    await this.frame.getByRole('status').first().click();
    await this.frame.locator('body').evaluate((body) => {
      for (const element of [body.ownerDocument.scrollingElement, ...body.querySelectorAll('*')])
        if (element !== null && element.scrollHeight > element.clientHeight)
          element.scrollTop = element.scrollHeight;
    });
  }
}

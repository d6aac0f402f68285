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

  /** Nothing is approved in the frame: this opens the window where it is. */
  get windowButton(): Locator {
    return this.frame.getByRole('button', { name: 'Approve in its own window…' });
  }

  get denyButton(): Locator {
    return this.frame.getByRole('button', { name: 'Deny' });
  }

  get badge(): Locator {
    return this.page.getByRole('navigation', { name: 'Places' }).locator('.rail-count');
  }

  /** The window that opens for the shown request. */
  async openWindow(): Promise<Page> {
    await expect(this.windowButton).toBeVisible();
    const [window] = await Promise.all([this.page.context().waitForEvent('page'), this.windowButton.click()]);
    return window;
  }

  /** As a person does, in the window that opens for it. That closes by itself a while later. */
  async approve(): Promise<void> {
    await readAndApprove(await this.openWindow());
  }

  async deny(reason = ''): Promise<void> {
    await this.frame.getByRole('textbox', { name: /Reason for denying/ }).fill(reason);
    await this.denyButton.click();
  }
}

/**
 * On an approval page that nothing can cover: gives it the focus, scrolls past everything of the request, waits until Approve
 * is armed, and presses and holds it.
 */
export async function readAndApprove(page: Page): Promise<void> {
  const approve = page.getByRole('button', { name: 'Approve once' });
  await expect(page.locator('.card')).toBeVisible();
  await page.getByRole('status').first().click();
  await expect
    .poll(async () => {
      await scrollToEnds(page);
      return approve.isEnabled();
    })
    .toBe(true);
  await approve.click({ delay: APPROVAL.holdMs + 50 });
}

/** Everything of the page that scrolls, and the page itself. */
function scrollToEnds(page: Page): Promise<void> {
  return page.locator('body').evaluate((body) => {
    for (const element of [body.ownerDocument.scrollingElement, ...body.querySelectorAll('*')])
      if (element !== null && element.scrollHeight > element.clientHeight)
        element.scrollTop = element.scrollHeight;
  });
}

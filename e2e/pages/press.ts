import type { Locator, Page } from '@playwright/test';
import { expect } from '../harness/expect.ts';

/** A click as a person makes it: the page draws while the button is down, and what is pressed must not move until it is up. */
export async function press(
  page: Page,
  control: Locator,
  whileDown: () => Promise<void> = async () => {},
): Promise<void> {
  await control.scrollIntoViewIfNeeded();
  const place = await control.boundingBox();
  if (place === null) throw new Error('What is pressed has no place.');
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2);
  await page.mouse.down();
  await drawn(page);
  const held = await control.boundingBox();
  await whileDown();
  await page.mouse.up();
  const moved = held === null ? Number.NaN : Math.hypot(held.x - place.x, held.y - place.y);
  // Pixels; a page that scrolls by itself to keep its place rounds them.
  expect(moved, 'nothing moves under the pointer').toBeLessThan(1);
}

function drawn(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
    return promise;
  });
}

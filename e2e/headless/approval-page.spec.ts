import AxeBuilder from '@axe-core/playwright';
import type { Frame, Page } from '@playwright/test';
import { type Clock, systemClock } from '../../electron/governed/controller/clock.ts';
import { FakeClock } from '../../electron/governed/controller/testing/fake-clock.ts';
import { APPROVAL } from '../../shared/governed/limits.ts';
import { test as base, expect } from '../fixtures.ts';
import { EmbeddedApprovals } from '../harness/embedded-approvals.ts';

const test = base.extend<{
  /** The host's, by which requests expire. */
  clock: Clock;
  approvals: EmbeddedApprovals;
}>({
  clock: [systemClock, { option: true }],
  approvals: async ({ chromium, clock }, use) => {
    const approvals = await EmbeddedApprovals.open(chromium, clock);
    const errors: Error[] = [];
    approvals.page.on('pageerror', (error) => errors.push(error));
    await use(approvals);
    await approvals.close();
    expect(errors, 'no uncaught error in the page').toEqual([]);
  },
});

const LONG = { arguments: { text: Array.from({ length: 200 }, (_, n) => `line ${n}`).join('\n') } };
/** The end of the request comes into view. */
const readAll = (window: Frame | Page) =>
  window.locator('.card-body').evaluate((element) => element.scrollTo(0, element.scrollHeight));
const card = (state: string) => `.card[data-state="${state}"]`;
const approveButton = { name: 'Approve once' } as const;

test('a frame takes no focus and arms nothing; in its own window a click approves, and closes it', async ({
  approvals,
}) => {
  const { page, frame } = approvals;
  await page.locator('#elsewhere').focus();
  const decision = approvals.ask();
  await expect(frame.locator(card('elsewhere'))).toContainText('nothing of this page can cover it');
  await expect(frame.getByRole('button', approveButton)).toHaveCount(0);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('elsewhere');

  const window = await approvals.openWindow();
  await expect(window.locator(card('armed'))).toBeVisible();
  expect(window.url()).not.toContain('window=');
  const approve = window.getByRole('button', approveButton);
  await window.evaluate(() => {
    const focusComes = () => {
      for (const name of ['blur', 'focus']) globalThis.dispatchEvent(new Event(name));
    };
    globalThis.addEventListener('pointerdown', focusComes, { capture: true, once: true });
  });
  await approve.click();
  await expect(
    window.getByText('only came back to this page'),
    'a click that brings the focus',
  ).toBeVisible();
  await window.waitForTimeout(APPROVAL.settleMs);
  const closed = window.waitForEvent('close');
  await approve.click();
  expect(await decision).toMatchObject({ outcome: 'approved', approver: { surface: 'browser' } });
  await expect(frame.locator(card('approved'))).toContainText('Approved once');
  await closed;
});

test('a request that waits is never denied while it is being opened', async ({ approvals }) => {
  const { page, frame } = approvals;
  await expect(frame.getByText('Nothing waits for a decision')).toBeVisible();
  const held = Promise.withResolvers<void>();
  await page.route('**/api/show', async (route) => {
    await held.promise;
    await route.continue();
  });
  void approvals.ask();
  await expect(frame.getByText('Opening the request…')).toBeVisible();
  await expect(frame.getByText('Nothing waits')).toHaveCount(0);
  held.resolve();
  await expect(frame.locator(card('elsewhere'))).toBeVisible();
});

test('Enter, Space, digits and held keys do not approve; the typed word does', async ({ approvals }) => {
  const { served } = approvals;
  const decision = approvals.ask();
  const page = await approvals.openWindow();
  await expect(page.locator(card('armed'))).toBeVisible();
  await page.locator('.card-title').click();
  const button = page.getByRole('button', approveButton);
  await button.focus();
  for (const key of ['Enter', 'Space', '1', 'y', 'NumpadEnter']) await page.keyboard.press(key);
  await expect(page.getByText('Keys do not press Approve')).toBeVisible();
  for (let n = 0; n < 20; n += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await button.evaluate((element) => (element as HTMLButtonElement).click());
  await button.dispatchEvent('pointerdown', { isPrimary: true, button: 0, pointerId: 1 });
  await button.dispatchEvent('click', { detail: 1, pointerId: 1 });

  const field = page.getByRole('textbox', { name: 'By keyboard' });
  await field.focus();
  await page.keyboard.insertText('approve');
  await expect(field).toHaveValue('');
  await page.keyboard.type('approv');
  for (let n = 0; n < 3; n += 1) await page.keyboard.down('e');
  await page.keyboard.up('e');
  // The first of them was a key like any other: it completed the word.
  expect((await decision).outcome).toBe('approved');
  expect(served.queue.history()).toHaveLength(1);
});

test('a key that is held from before types no word', async ({ approvals }) => {
  const decision = approvals.ask();
  const page = await approvals.openWindow();
  await expect(page.locator(card('armed'))).toBeVisible();
  await page.getByRole('textbox', { name: 'By keyboard' }).focus();
  for (const letter of 'approve') for (let n = 0; n < 2; n += 1) await page.keyboard.down(letter);
  // What is decided next is what the keys left undecided.
  await page.getByRole('button', { name: 'Deny' }).click();
  expect((await decision).outcome).toBe('denied');
});

test('what does not fit must be scrolled to its end first', async ({ approvals }) => {
  void approvals.ask(LONG);
  const page = await approvals.openWindow();
  await expect(page.locator(card('unread'))).toBeVisible();
  await expect(page.getByText('Scroll to the end')).toBeVisible();
  const body = page.getByRole('region', { name: 'Content of the request' });
  await body.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
  await expect(page.locator(card('unread'))).toBeVisible();
  await readAll(page);
  await expect(page.locator(card('armed'))).toBeVisible();
  await expect(page.getByRole('note')).toContainText('199 characters would not show');
});

test('a frame that its main page masks has nothing that a click could approve', async ({ approvals }) => {
  const { page, frame, served, context } = approvals;
  void approvals.ask();
  await expect(frame.locator(card('elsewhere'))).toBeVisible();
  await page.evaluate(() => {
    const iframe = document.querySelector('iframe') as HTMLIFrameElement;
    iframe.style.maskImage = 'linear-gradient(transparent, transparent)';
  });
  await readAll(frame);
  const { x, y } = (await frame.locator('.card-foot').boundingBox()) ?? { x: 0, y: 0 };
  const opened = context.waitForEvent('page');
  for (let down = 10; down < 130; down += 20)
    await page.mouse.click(x + 40, y + down, { delay: APPROVAL.holdMs / 6 });
  // The most that it gets is the window, where everything is seen and nothing has begun.
  await expect((await opened).locator(card('approved'))).toHaveCount(0);
  await expect(frame.locator('.approve-button, #approve-word')).toHaveCount(0);
  expect(served.audit.events).not.toContain('approval.approved');
});

test('the main page cannot read the key, ask the API, or put a token into the frame', async ({
  approvals,
}) => {
  const { page, served, frame, context } = approvals;
  void approvals.ask();
  await expect(frame.locator(card('elsewhere'))).toBeVisible();
  const { id, digest } = served.queue.waiting()[0]?.request ?? { id: '', digest: '' };
  const key = await frame.evaluate(() => sessionStorage.getItem('airlock.approval.key'));
  expect(key).toMatch(/^[\w-]{43}$/);
  const tried = await page.evaluate(
    async ({ origin, body, credential }) => {
      const readable = (() => {
        try {
          return Object.keys(
            (document.querySelector('iframe') as HTMLIFrameElement).contentWindow?.sessionStorage ?? {},
          );
        } catch {
          return 'refused';
        }
      })();
      const post = (headers: Record<string, string>, mode: RequestMode) =>
        fetch(`${origin}/api/deny`, { method: 'POST', headers, body, mode }).then(
          (answer) => (answer.type === 'opaque' ? 'opaque' : answer.status),
          () => 'refused',
        );
      const json = { 'Content-Type': 'application/json', Authorization: `Bearer ${credential}` };
      return {
        own: Object.values(sessionStorage),
        readable,
        asked: [
          await post(json, 'cors'),
          await post({}, 'no-cors'),
          await post({ 'Content-Type': 'text/plain' }, 'cors'),
        ],
      };
    },
    { origin: served.origin, body: JSON.stringify({ id, digest, reason: '' }), credential: key as string },
  );
  expect(tried).toEqual({ own: [], readable: 'refused', asked: ['refused', 'refused', 'refused'] });
  expect(served.queue.waiting()).toHaveLength(1);

  await page.evaluate((src) => {
    (document.querySelector('iframe') as HTMLIFrameElement).src = src;
  }, `${served.origin}/?again#token=guessed`);
  await expect(approvals.frame.locator(card('elsewhere'))).toBeVisible();

  // A window that it opens itself has a copy of the tab's storage at most: what a frame has, and no way back.
  const opened = context.waitForEvent('page');
  await page.evaluate((address) => {
    (window as { opened?: Window | null }).opened = window.open(address);
  }, served.origin);
  const copy = await opened;
  await expect(copy.locator('main')).toHaveAttribute('data-place', 'frame');
  await expect(copy.locator('.approve-button')).toHaveCount(0);
  await expect
    .poll(() => page.evaluate(() => (window as { opened?: Window | null }).opened?.closed))
    .toBe(true);
});

test('even a script in the frame cannot get the key of a window, nor reach into one', async ({
  approvals,
}) => {
  const { frame, context } = approvals;
  void approvals.ask();
  await expect(frame.locator(card('elsewhere'))).toBeVisible();
  const opened = context.waitForEvent('page');
  const got = await frame.evaluate(async () => {
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${sessionStorage.getItem('airlock.approval.key')}`,
    };
    const ask = async (verb: string) =>
      (await fetch(`/api/${verb}`, { method: 'POST', headers, body: '{}' })).json();
    const { address } = (await ask('window')).value;
    const fetched = await fetch(address, { headers: { 'Sec-Fetch-Dest': 'document' } });
    const frame = document.createElement('iframe');
    frame.src = address;
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    document.body.append(frame);
    await loaded;
    const window_ = window.open(address);
    // The page that opens cuts the handle, which then says that it is closed.
    while (window_ !== null && !window_.closed) await new Promise(requestAnimationFrame);
    const read = (other: Window | null | undefined) => {
      try {
        return other?.document.documentElement.outerHTML.includes('approval-key') ?? false;
      } catch {
        return false;
      }
    };
    return {
      fetched: fetched.status,
      framed: read(frame.contentWindow),
      opened: read(window_),
      window: window_?.closed ?? true,
    };
  });
  expect(got).toEqual({ fetched: 403, framed: false, opened: false, window: true });
  await expect((await opened).locator('main'), 'the window itself works').toHaveAttribute(
    'data-place',
    'window',
  );
});

test('a window that opens under a double click, or a press that is held, is not approved by it', async ({
  approvals,
}) => {
  const { served } = approvals;
  const decision = approvals.ask(LONG);
  const window = await approvals.openWindow();
  await expect(window.locator(card('unread'))).toBeVisible();
  const place = await window.locator('.approve-button').boundingBox();
  if (place === null) throw new Error('no button');
  await window.mouse.move(place.x + 20, place.y + 16);
  for (let n = 0; n < 3; n += 1) await window.mouse.click(place.x + 20, place.y + 16);
  // It arms while the button is down: that press began before, and what ends it is no decision.
  await window.mouse.down();
  await readAll(window);
  await expect(window.locator(card('armed'))).toBeVisible();
  await window.waitForTimeout(APPROVAL.holdMs);
  await window.mouse.up();
  await expect(window.locator(card('armed'))).toBeVisible();
  expect(served.queue.waiting()).toHaveLength(1);
  await window.mouse.down();
  await window.mouse.up();
  expect((await decision).outcome).toBe('approved');
});

/** Accessibility faults of the approval page in every theme; of the second and third only what depends on colours. */
async function faultsOf(page: Page, framed: boolean): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, media] of [
    ['dark', { colorScheme: 'dark', contrast: 'no-preference' }],
    ['light', { colorScheme: 'light', contrast: 'no-preference' }],
    ['high contrast', { colorScheme: 'dark', contrast: 'more' }],
  ] as const) {
    await page.emulateMedia(media);
    const axe = new AxeBuilder({ page });
    if (framed) axe.include('iframe');
    else axe.setLegacyMode(true);
    if (name !== 'dark') axe.withRules(['color-contrast', 'link-in-text-block']);
    const { violations } = await axe.analyze();
    faults.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${name}: ${id}: ${html}`)));
  }
  return faults;
}

test('reads well in every theme, in the frame and in its window', async ({ approvals }) => {
  const { page, frame } = approvals;
  void approvals.ask({ command: 'cat \u202Ex' }, undefined, 'the first');
  const window = await approvals.openWindow();
  await expect(window.locator(card('armed'))).toBeVisible();
  expect(await faultsOf(window, false)).toEqual([]);
  await window.close();
  void approvals.ask(LONG, undefined, 'the second');
  await frame.getByRole('button', { name: 'the second' }).click();
  await expect(frame.locator(card('elsewhere'))).toBeVisible();
  expect(await faultsOf(page, true)).toEqual([]);
  await frame.getByRole('button', { name: 'Deny' }).click();
  await expect(frame.locator(card('denied'))).toBeVisible();
  expect(await faultsOf(page, true)).toEqual([]);
});

test('a small frame has room for both ways, and denies with a reason, without reading', async ({
  approvals,
}) => {
  const { page, frame } = approvals;
  const decision = approvals.ask(LONG);
  await page.evaluate(() => {
    (document.querySelector('iframe') as HTMLIFrameElement).style.height = '240px';
  });
  for (const name of ['Deny', 'Approve in its own window…'])
    await expect(frame.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
  await frame.getByRole('textbox', { name: 'Reason' }).fill('not this month');
  await frame.getByRole('button', { name: 'Deny' }).click();
  expect(await decision).toEqual({ outcome: 'denied', text: 'not this month' });
  await expect(frame.locator(card('denied'))).toContainText('not this month');
});

test.describe('in time', () => {
  const clock = new FakeClock();
  test.use({ clock });

  test('expires in view, and the next one has to be picked and armed for itself', async ({ approvals }) => {
    const { frame } = approvals;
    await expect(frame.getByText('Nothing waits for a decision')).toBeVisible();
    const first = approvals.ask({}, 60_000, 'the first');
    await expect(frame.locator('.card-title')).toHaveText('the first');
    void approvals.ask({}, 120_000, 'the second');
    await expect(frame.getByRole('navigation', { name: '2 requests wait' })).toBeVisible();
    await expect(frame.locator('.card-title')).toHaveText('the first');
    await clock.advance(60_000);
    expect((await first).outcome).toBe('expired');
    await expect(frame.locator(card('expired'))).toContainText('nobody decided in time');
    await frame.getByRole('button', { name: 'Show the next request' }).click();
    await expect(frame.locator(card('elsewhere'))).toContainText('the second');
  });
});

test('B24 what would not show is shown as codes and counted', async ({ approvals }) => {
  const { frame } = approvals;
  void approvals.ask({ command: `cat \u202Egpj.exe${' '.repeat(300)}; c\u0430t`, destination: 'a\u200bb' });
  await expect(frame.getByRole('note')).toContainText('5 characters');
  await expect(frame.locator('.exact-code')).toHaveText([
    'SP',
    'U+202E',
    'SP×300',
    '\u0430 U+0430',
    'U+200B',
  ]);
  const raw = await frame.locator('main').textContent();
  expect(raw).not.toMatch(/[\u202e\u200b]/);
});

import AxeBuilder from '@axe-core/playwright';
import type { Frame, Page } from '@playwright/test';
import { test as base, expect } from '../fixtures.ts';
import { EmbeddedApprovals } from '../harness/embedded-approvals.ts';

const test = base.extend<{ approvals: EmbeddedApprovals }>({
  approvals: async ({ chromium }, use) => {
    const approvals = await EmbeddedApprovals.open(chromium);
    const errors: Error[] = [];
    approvals.page.on('pageerror', (error) => errors.push(error));
    await use(approvals);
    await approvals.close();
    expect(errors, 'no uncaught error in the page').toEqual([]);
  },
});

const LONG = { arguments: { text: Array.from({ length: 200 }, (_, n) => `line ${n}`).join('\n') } };
/** The end of the request comes into view. */
const readAll = (frame: Frame | Page) =>
  frame.locator('.card-body').evaluate((element) => element.scrollTo(0, element.scrollHeight));
const card = (state: string) => `.card[data-state="${state}"]`;
const approveButton = { name: 'Approve once' } as const;

test('a request is shown without taking the focus, arms after a moment, and a click approves it', async ({
  approvals,
}) => {
  const { page, served } = approvals;
  await page.locator('#elsewhere').focus();
  const decision = approvals.ask();
  const { frame } = approvals;
  await expect(frame.locator(card('arming'))).toBeVisible();
  await expect(frame.getByRole('button', approveButton)).toBeDisabled();
  await expect(frame.locator(card('armed'))).toBeVisible();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('elsewhere');

  // The first click only brings the focus here.
  await frame.getByRole('button', approveButton).click();
  await expect(frame.getByText('only came back to this page')).toBeVisible();
  expect(served.queue.waiting()).toHaveLength(1);
  await expect
    .poll(async () => {
      await frame
        .getByRole('button', approveButton)
        .click({ timeout: 2_000 })
        .catch(() => {});
      return served.queue.waiting().length;
    })
    .toBe(0);
  expect(await decision).toMatchObject({ outcome: 'approved', approver: { surface: 'browser' } });
  await expect(frame.locator(card('approved'))).toContainText('Approved once');
});

test('Enter, Space, digits and held keys do not approve; the typed word does', async ({ approvals }) => {
  const { page, served, frame } = approvals;
  const decision = approvals.ask();
  await expect(frame.locator(card('armed'))).toBeVisible();
  await frame.locator('.card-title').click();
  const button = frame.getByRole('button', approveButton);
  await button.focus();
  for (const key of ['Enter', 'Space', '1', 'y', 'NumpadEnter']) await page.keyboard.press(key);
  await expect(frame.getByText('Keys do not press Approve')).toBeVisible();
  for (let n = 0; n < 20; n += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await button.evaluate((element) => (element as HTMLButtonElement).click());
  await button.dispatchEvent('pointerdown', { isPrimary: true, button: 0, pointerId: 1 });
  await button.dispatchEvent('click', { detail: 1, pointerId: 1 });

  const field = frame.getByRole('textbox', { name: 'By keyboard' });
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
  const { page, served, frame } = approvals;
  void approvals.ask();
  await expect(frame.locator(card('armed'))).toBeVisible();
  await frame.getByRole('textbox', { name: 'By keyboard' }).focus();
  for (const letter of 'approve') for (let n = 0; n < 2; n += 1) await page.keyboard.down(letter);
  expect(served.queue.waiting()).toHaveLength(1);
});

test('what does not fit must be scrolled to its end first', async ({ approvals }) => {
  const { frame } = approvals;
  void approvals.ask(LONG);
  await expect(frame.locator(card('unread'))).toBeVisible();
  await expect(frame.getByText('Scroll to the end')).toBeVisible();
  const body = frame.getByRole('region', { name: 'Content of the request' });
  await body.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
  await expect(frame.locator(card('unread'))).toBeVisible();
  await readAll(frame);
  await expect(frame.locator(card('armed'))).toBeVisible();
  await expect(frame.getByRole('note')).toContainText('199 characters would not show');
});

test('a main page that covers, fades, scales, cuts or stretches the frame gets nothing armed', async ({
  approvals,
}) => {
  const { page, frame } = approvals;
  void approvals.ask(LONG);
  await expect(frame.locator(card('unread'))).toBeVisible();
  const style = (css: string) =>
    page.evaluate((text) => document.querySelector('iframe')?.setAttribute('style', text), css);
  const SIZE = 'display:block;width:480px;height:900px;border:0;';
  await style(`${SIZE}height:9000px`);
  await expect(frame.locator('[data-sight="hidden"]')).toBeVisible();
  await style(SIZE);
  await expect(
    frame.locator(card('unread')),
    'a tall frame out of sight has shown nobody the end',
  ).toBeVisible();
  await readAll(frame);
  await expect(frame.locator(card('armed'))).toBeVisible();
  for (const css of [
    'opacity:0.9',
    'transform:scale(0.5)',
    'margin-left:-30px',
    'filter:blur(1px)',
    'height:200px',
  ]) {
    await style(`${SIZE}${css}`);
    await expect(frame.locator(card('hidden')), css).toBeAttached();
    await expect(frame.locator('.approve-button')).toBeDisabled();
    await style(SIZE);
    await expect(frame.locator(card('armed')), `after ${css}`).toBeVisible();
  }
  await page.evaluate(() => {
    const cover = document.createElement('div');
    cover.style.cssText =
      'position:fixed;left:200px;top:200px;width:20px;height:20px;background:#fff;pointer-events:none';
    document.body.append(cover);
  });
  await expect(frame.locator(card('hidden'))).toBeAttached();
});

test('the main page cannot read the key, ask the API, or put a token into the frame', async ({
  approvals,
}) => {
  const { page, served, frame } = approvals;
  void approvals.ask();
  await expect(frame.locator(card('armed'))).toBeVisible();
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
  await expect(approvals.frame.locator(card('armed'))).toBeVisible();
});

test('a frame that is moved under the pointer is not approved by the press that meets it', async ({
  approvals,
}) => {
  const { page, frame } = approvals;
  const decision = approvals.ask();
  await frame.locator('.card-title').click();
  await expect(frame.locator(card('armed'))).toBeVisible();
  const button = await frame.locator('.approve-button').boundingBox();
  if (button === null) throw new Error('no button');
  await page.mouse.move(button.x + 20, button.y + 16 + 30);
  await page.evaluate(() => {
    (document.querySelector('iframe') as HTMLIFrameElement).style.marginTop = '30px';
  });
  await page.mouse.down();
  await page.mouse.up();
  // Chromium drops the press or the page refuses it; either way the request is still open, and can be denied.
  await page.mouse.move(5, 5);
  await frame.getByRole('button', { name: 'Deny' }).click();
  expect(await decision).toMatchObject({ outcome: 'denied' });
});

test.describe('reads well', () => {
  for (const [name, media] of [
    ['dark', { colorScheme: 'dark' }],
    ['light', { colorScheme: 'light' }],
    ['high contrast', { contrast: 'more' }],
  ] as const) {
    test(`in ${name}: armed, unread and denied`, async ({ approvals }) => {
      const { page, frame } = approvals;
      await page.emulateMedia(media);
      const look = async () => {
        const { violations } = await new AxeBuilder({ page }).include('iframe').analyze();
        return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
      };
      void approvals.ask({ command: 'cat \u202Ex' }, undefined, 'the first');
      await expect(frame.locator(card('armed'))).toBeVisible();
      expect(await look()).toEqual([]);
      void approvals.ask(LONG, undefined, 'the second');
      await frame.getByRole('button', { name: 'the second' }).click();
      await expect(frame.locator(card('unread'))).toBeVisible();
      expect(await look()).toEqual([]);
      await frame.getByRole('button', { name: 'Deny' }).click();
      await expect(frame.locator(card('denied'))).toBeVisible();
      expect(await look()).toEqual([]);
    });
  }
});

test('denies with a reason, without reading or arming', async ({ approvals }) => {
  const { frame } = approvals;
  const decision = approvals.ask(LONG);
  await frame.getByRole('textbox', { name: 'Reason' }).fill('not this month');
  await frame.getByRole('button', { name: 'Deny' }).click();
  expect(await decision).toEqual({ outcome: 'denied', text: 'not this month' });
  await expect(frame.locator(card('denied'))).toContainText('not this month');
});

test('expires in view, and the next one has to be picked and armed for itself', async ({ approvals }) => {
  const { frame } = approvals;
  const first = approvals.ask({}, 2_500, 'the first');
  await expect(frame.locator('.card-title')).toHaveText('the first');
  void approvals.ask({}, 60_000, 'the second');
  await expect(frame.getByRole('navigation', { name: '2 requests wait' })).toBeVisible();
  await expect(frame.locator('.card-title')).toHaveText('the first');
  expect((await first).outcome).toBe('expired');
  await expect(frame.locator(card('expired'))).toContainText('nobody decided in time');
  await frame.getByRole('button', { name: 'Show the next request' }).click();
  await expect(frame.locator(card('arming'))).toContainText('the second');
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

test('a frame that is too small offers a window of its own, which is signed in', async ({ approvals }) => {
  const { page, frame, context } = approvals;
  void approvals.ask();
  await page.evaluate(() => {
    (document.querySelector('iframe') as HTMLIFrameElement).style.height = '240px';
  });
  await expect(frame.getByRole('button', { name: 'Deny' })).toBeInViewport({ ratio: 1 });
  const opened = context.waitForEvent('page');
  await frame.getByRole('button', { name: 'Open in a window of its own' }).click();
  const alone = await opened;
  await readAll(alone);
  await expect(alone.locator(card('armed'))).toBeVisible();
  expect(alone.url()).not.toContain('window=');
});

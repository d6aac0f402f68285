import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '../fixtures.ts';
import { startHeadlessHost } from '../harness/headless-host.ts';

test('a launch address works once; the tab that used it stays signed in over a reload', async ({
  browser,
  folders,
}) => {
  const host = await startHeadlessHost({ dataDir: folders.data });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(host.address);
  await expect(page.getByRole('button', { name: 'Open a shell' })).toBeVisible();
  expect(page.url(), 'the token does not stay in the address').not.toContain('token');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Open a shell' })).toBeVisible();

  const other = await browser.newContext();
  const again = await other.newPage();
  await again.goto(host.address);
  await expect(again.getByRole('heading', { name: 'Open Airlock from its terminal' })).toBeVisible();
  await expect(again.getByText('its address was used before')).toBeVisible();
  expect(await other.cookies()).toEqual([]);
  await other.close();
  await context.close();
  expect(await host.stop()).toBe(0);
});

test('a tab that is loaded again before it has heard that it is signed in, is signed in', async ({
  browser,
  folders,
}) => {
  const host = await startHeadlessHost({ dataDir: folders.data });
  const context = await browser.newContext();
  const page = await context.newPage();
  const heard = Promise.withResolvers<void>();
  await page.exposeFunction('hostHasAnswered', heard.resolve);
  // What the host says does not reach the main page when this tab shows it for the first time.
  await page.addInitScript(() => {
    if (sessionStorage.getItem('loaded before') !== null) return;
    sessionStorage.setItem('loaded before', 'yes');
    const { hostHasAnswered } = window as unknown as { hostHasAnswered(): void };
    window.Worker = class extends Worker {
      override set onmessage(listener: (event: MessageEvent) => void) {
        super.onmessage = (event) => (typeof event.data === 'string' ? hostHasAnswered() : listener(event));
      }
    };
  });
  // Nor does it hear of its launch address when it asks for the first time.
  await page.route(
    '**/api/sign-in',
    async (route) => {
      await route.fetch();
      await page.reload();
    },
    { times: 1 },
  );
  await page.goto(host.address);
  await heard.promise;
  await page.reload();
  await expect(page.getByRole('button', { name: 'Open a shell' })).toBeVisible();
  await context.close();
  await host.stop();
});

test('without a token the page says how to get in, and lets nobody in', async ({ browser, folders }) => {
  const host = await startHeadlessHost({ dataDir: folders.data });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(new URL('/', host.origin).href);
  await expect(page.getByRole('heading', { name: 'Open Airlock from its terminal' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-pane]')).toHaveCount(0);

  await page.goto(new URL('/#token=guessed', host.origin).href);
  await expect(page.getByText('its address was used before')).toBeVisible();
  await context.close();
  await host.stop();
});

test('a page of another local server cannot reach the host, whatever it knows', async ({
  browser,
  folders,
}) => {
  const host = await startHeadlessHost({ dataDir: folders.data });
  const server = createServer((_request, response) => response.end('<title>elsewhere</title>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const socketAddress = new URL('/connection', host.origin).href.replace('http:', 'ws:');
  const outcome = await page.evaluate(
    (address) =>
      new Promise((resolve) => {
        const socket = new WebSocket(address.split('#')[0] as string);
        socket.onopen = () => resolve('open');
        socket.onerror = () => resolve('refused');
      }),
    socketAddress,
  );
  expect(outcome).toBe('refused');
  const framed = await page.evaluate(
    (address) =>
      new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.onload = () => resolve(frame.contentWindow?.length ?? -1);
        frame.src = address;
        document.body.append(frame);
      }),
    host.address,
  );
  expect(framed).toBe(0);

  // The token was not used up by any of this.
  await page.goto(host.address);
  await expect(page.getByRole('button', { name: 'Open a shell' })).toBeVisible();
  await context.close();
  server.close();
  await host.stop();
});

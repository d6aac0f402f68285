import type { Browser, BrowserContextOptions } from '@playwright/test';
import { startHeadlessHost } from './headless-host.ts';
import type { LaunchedApp } from './launched-app.ts';

/** Answers every address but the host's own, so that a test never leaves the machine. */
const OUTSIDE = /^https?:\/\/(?!127\.0\.0\.1[:/])/;

/** The built `airlock serve` and a page of `browser` that opened its launch address. */
export async function launchHeadless(
  browser: Browser,
  dataDir: string,
  contextOptions: BrowserContextOptions,
  options: Readonly<Record<string, string>> = {},
): Promise<LaunchedApp> {
  const [host, context] = await Promise.all([
    startHeadlessHost({ dataDir, options }),
    browser.newContext(contextOptions),
  ]);
  const links: string[] = [];
  await context.route(OUTSIDE, (route) => {
    if (route.request().isNavigationRequest()) links.push(route.request().url());
    return route.fulfill({ contentType: 'text/html', body: '<title>outside</title>' });
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], {
    origin: host.origin,
  });
  const page = await context.newPage();
  await page.goto(host.address);
  await page.waitForURL(`${host.origin}/**`);
  return {
    page,
    context,
    hostPid: host.pid,
    openedLinks: async () => links,
    async close() {
      await context.close();
      await host.stop();
    },
  };
}

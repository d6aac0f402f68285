import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext, Frame, Page } from '@playwright/test';
import { aQuestion } from '../../electron/approvals/testing/questions.ts';
import type { Clock } from '../../electron/governed/controller/clock.ts';
import type { Decision } from '../../electron/governed/ports.ts';
import { ServedApprovals } from '../../electron/server/testing/served-approvals.ts';
import type { ApprovalPayload } from '../../shared/governed/approval.ts';
import { resizeWindow } from '../pages/window.ts';
import { DIST } from './built.ts';
import { expect } from './expect.ts';

/** High enough for the end of a short request to be in view. */
const WINDOW_SIZE = { width: 600, height: 960 };

/**
 * The built approval page on its own origin, embedded by a main page of the test's making, which may do whatever a
 * hostile one could.
 */
export class EmbeddedApprovals {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly served: ServedApprovals;
  readonly #close: () => Promise<void>;

  /** A tab that opened a launch address and was passed on to the main page. */
  static async open(browser: Browser, clock: Clock): Promise<EmbeddedApprovals> {
    let address = '';
    const main = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.end(
        `<title>main</title><body style="margin:0"><button id="elsewhere">elsewhere</button>
         <iframe title="Approvals" src="${address}" style="display:block;width:480px;height:900px;border:0"></iframe>`,
      );
    });
    await new Promise<void>((resolve) => main.listen(0, '127.0.0.1', resolve));
    const served = await ServedApprovals.start({
      mainPort: (main.address() as AddressInfo).port,
      pageFolder: join(DIST, 'approval'),
      clock,
    });
    address = served.origin;
    const context = await browser.newContext({ viewport: { width: 900, height: 960 } });
    const page = await context.newPage();
    await page.goto(served.server.freshAddress());
    await page.waitForURL(`http://127.0.0.1:${(main.address() as AddressInfo).port}/**`);
    return new EmbeddedApprovals(context, page, served, async () => {
      await context.close();
      await served.dispose();
      await new Promise((resolve) => main.close(resolve));
    });
  }

  private constructor(
    context: BrowserContext,
    page: Page,
    served: ServedApprovals,
    close: () => Promise<void>,
  ) {
    this.context = context;
    this.page = page;
    this.served = served;
    this.#close = close;
  }

  get frame(): Frame {
    const frame = this.page.frames().find((candidate) => candidate.url().startsWith(this.served.origin));
    if (frame === undefined) throw new Error('The approval page is not embedded.');
    return frame;
  }

  ask(changes: Partial<ApprovalPayload> = {}, waitMs?: number, title?: string): Promise<Decision> {
    const question = aQuestion(changes, waitMs);
    return this.served.queue.ask(
      { ...question, title: title ?? question.title },
      new AbortController().signal,
    );
  }

  /** As a person does: the press in the frame opens the shown request where it can be approved. */
  async openWindow(): Promise<Page> {
    const button = this.frame.getByRole('button', { name: 'Approve in its own window…' });
    await expect(button).toBeVisible();
    const [window] = await Promise.all([this.context.waitForEvent('page'), button.click()]);
    await resizeWindow(window, WINDOW_SIZE);
    return window;
  }

  close(): Promise<void> {
    return this.#close();
  }
}

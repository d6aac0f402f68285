import type { BrowserContext, Page } from '@playwright/test';

export type Target = 'headless' | 'double' | 'electron';

/** A running Airlock with one page, on whichever host. */
export interface LaunchedApp {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Process id of the host: every sandbox hangs below it. */
  readonly hostPid: number;
  /** Addresses that were opened outside Airlock so far, oldest first. */
  openedLinks(): Promise<string[]>;
  /** Ends the host in its normal way, and what was started with it. */
  close(): Promise<void>;
}

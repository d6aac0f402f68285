import { defineConfig } from '@playwright/test';
import type { TargetOption } from './e2e/fixtures.ts';

/** About the headless host, and about how the page looks and reads, which is the same bundle on every host. */
const PAGE_ALONE = ['headless/**', 'page/**'];

/**
 * The same specs on three hosts: `headless` is the built `airlock serve` in Chromium, `double` the built Electron
 * bundles on the double of e2e/electron-double, `electron` real Electron where its binary is.
 */
export default defineConfig<TargetOption>({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/e2e',
  // Each test starts a host and shells of its own and waits for them a third of its time.
  workers: 3,
  // How long a test or a step may hang, not how fast it must be: of several that share slow cores, each may wait for the rest.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'list',
  use: { screenshot: 'only-on-failure', actionTimeout: 20_000 },
  projects: [
    { name: 'headless', testIgnore: 'desktop-*.spec.ts', use: { target: 'headless' } },
    { name: 'double', testIgnore: PAGE_ALONE, use: { target: 'double' } },
    { name: 'electron', testIgnore: PAGE_ALONE, use: { target: 'electron' } },
  ],
});

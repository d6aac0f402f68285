import { defineConfig } from '@playwright/test';
import type { TargetOption } from './e2e/fixtures.ts';

/** About the headless host, and about how the page looks and reads, which is the same bundle on every host. */
const PAGE_ALONE = ['headless/**', 'page/**'];

/** About the page and its terminal alone: the double, whose ports are not Electron's, adds nothing to them but time. */
const LEFT_OUT_OF_DOUBLE = [
  'context-menu',
  'find',
  'flood',
  'keyboard',
  'modes',
  'output',
  'splits',
  'tabs',
  'themes',
];

/**
 * The same specs on three hosts: `headless` is the built `airlock serve` in Chromium, `double` the built Electron
 * bundles on the double of e2e/electron-double (those specs that touch the host), `electron` real Electron where its
 * binary is.
 */
export default defineConfig<TargetOption>({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/e2e',
  // Each test starts a host and shells of its own and mostly waits for them; more would only measure each other.
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'list',
  use: { screenshot: 'only-on-failure', actionTimeout: 10_000 },
  projects: [
    { name: 'headless', testIgnore: 'desktop-*.spec.ts', use: { target: 'headless' } },
    {
      name: 'double',
      testIgnore: [...PAGE_ALONE, ...LEFT_OUT_OF_DOUBLE.map((name) => `${name}.spec.ts`)],
      use: { target: 'double' },
    },
    { name: 'electron', testIgnore: PAGE_ALONE, use: { target: 'electron' } },
  ],
});

import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Milliseconds that a test or a hook may hang, not how fast it must be: property tests share two slow cores. */
const HANG_MS = 120_000;

/**
 * Tests that boot a guest, which one of them builds, and those of containers: about half of all integration tests by time.
 * `npm test` runs them beside the others.
 */
const ENGINES = [
  'electron/sandbox/{microvm,container,attach}/*.integration.test.ts',
  'electron/governed/engines.integration.test.ts',
];

const integration = {
  // node-pty's child dies with the thread that forked it, so each file gets a process (see sandbox/pty).
  pool: 'forks',
  fileParallelism: false,
  testTimeout: HANG_MS,
  hookTimeout: HANG_MS,
  // The hosts that tests start from the sources share what Node makes of them: half of the time each takes to start.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'test-results/compile-cache') },
} as const;

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Files share a process and what it has loaded, which is half of their time: each cleans up after itself.
          isolate: false,
          unstubGlobals: true,
          testTimeout: HANG_MS,
          hookTimeout: HANG_MS,
          include: ['{electron,renderer,shared,e2e,scripts}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.integration.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...integration,
          name: 'integration',
          include: ['electron/**/*.integration.test.ts'],
          exclude: ENGINES,
        },
      },
      { extends: true, test: { ...integration, name: 'engines', include: ENGINES } },
    ],
  },
});

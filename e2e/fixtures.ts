import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, test as base } from '@playwright/test';
import type { z } from 'zod';
import type { profileSchema, settingsSchema } from '../shared/settings/schema.ts';
import { expect } from './harness/expect.ts';
import { launchDesktop } from './harness/launch-desktop.ts';
import { launchHeadless } from './harness/launch-headless.ts';
import type { LaunchedApp, Target } from './harness/launched-app.ts';
import { descendantsOf, isAlive } from './harness/processes.ts';
import { WorkerBrowsers } from './harness/worker-browsers.ts';
import { Workspace } from './pages/workspace.ts';

export { expect };

export type SettingsFile = Omit<z.input<typeof settingsSchema>, 'version'>;

export interface TargetOption {
  target: Target;
}

/** Folders of one test, removed after it. */
export interface Folders {
  /** Airlock's data folder. */
  readonly data: string;
  /** For a profile's `scratch`: sandbox and test both write here. */
  readonly scratch: string;
  /** For a profile's `project`: the test writes here, the sandbox reads. */
  readonly project: string;
}

export interface Airlock extends LaunchedApp {
  readonly target: Target;
  readonly folders: Folders;
  readonly workspace: Workspace;
  /** Lets a program go on that reads this FIFO of the project folder. Every test has one named `go`. */
  releaseFifo(name: 'go'): Promise<void>;
}

interface Fixtures {
  folders: Folders;
  /** What stands in settings.json before the start; text as it is; null: no file. Text is read off the DOM renderer. */
  settings: SettingsFile | string | null;
  /** Options of the browser window, headless host only. */
  windowOptions: BrowserContextOptions;
  /** More options of `airlock serve` by name, headless host only. */
  serveOptions: Readonly<Record<string, string>>;
  airlock: Airlock;
}

interface WorkerFixtures extends TargetOption {
  browsers: WorkerBrowsers;
  /** For contexts of a test's own. */
  browser: Browser;
  /** The same, where pages open windows. */
  chromium: Browser;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  target: ['headless', { option: true, scope: 'worker' }],

  browsers: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
    async ({}, use) => {
      const browsers = new WorkerBrowsers();
      await use(browsers);
      await browsers.close();
    },
    { scope: 'worker' },
  ],

  browser: [async ({ browsers }, use) => use(await browsers.plain()), { scope: 'worker' }],
  chromium: [async ({ browsers }, use) => use(await browsers.whole()), { scope: 'worker' }],

  // biome-ignore lint/correctness/noEmptyPattern: as above.
  folders: async ({}, use) => {
    const root = await mkdtemp(join(tmpdir(), 'airlock-e2e-'));
    const folders = {
      data: join(root, 'data'),
      scratch: join(root, 'scratch'),
      project: join(root, 'project'),
    };
    await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { mode: 0o777 })));
    execFileSync('mkfifo', [join(folders.project, 'go')]);
    await use(folders);
    await rm(root, { recursive: true, force: true });
  },

  settings: [{}, { option: true }],
  windowOptions: [{ viewport: { width: 1280, height: 800 } }, { option: true }],
  serveOptions: [{}, { option: true }],

  airlock: async ({ browsers, target, folders, settings, windowOptions, serveOptions }, use) => {
    await writeSettings(folders.data, settings);
    const app =
      target === 'headless'
        ? await launchHeadless(await browsers.plain(), folders.data, windowOptions, serveOptions)
        : await launchDesktop(target, browsers, folders.data);
    const errors: Error[] = [];
    app.page.on('pageerror', (error) => errors.push(error));
    const releaseFifo = (name: string) => writeFile(join(folders.project, name), 'go\n');
    await use({ ...app, target, folders, workspace: new Workspace(app.page), releaseFifo });

    const sandboxes = descendantsOf(app.hostPid);
    await app.close();
    await expect
      .poll(() => sandboxes.filter(isAlive), { message: 'nothing that the host started survives it' })
      .toEqual([]);
    expect(errors, 'no uncaught error in the page').toEqual([]);
  },
});

type Profile = z.input<typeof profileSchema>;

/**
 * For `test.use({ settings: … })`: the test's folders as project (read-only) and scratch (writable) of the
 * default profile, and other settings besides.
 */
export function withFolders(profile: Partial<Profile> = {}, others: SettingsFile = {}) {
  return async ({ folders }: { folders: Folders }, use: (settings: SettingsFile) => Promise<void>) => {
    const { project, scratch } = folders;
    await use({ ...others, profiles: [{ id: 'shell', name: 'Shell', project, scratch, ...profile }] });
  };
}

async function writeSettings(dataDir: string, settings: Fixtures['settings']): Promise<void> {
  if (settings === null) return;
  const text =
    typeof settings === 'string'
      ? settings
      : JSON.stringify({ version: 1, ...settings, terminal: { renderer: 'dom', ...settings.terminal } });
  await writeFile(join(dataDir, 'settings.json'), text);
}

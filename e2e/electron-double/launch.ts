import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { ROOT } from '../../scripts/root.ts';
import { DIST, SHARED_COMPILE_CACHE } from '../harness/built.ts';
import { endHost } from '../harness/ending.ts';
import type { ReachableChromium } from '../harness/worker-browsers.ts';
import type { FromDouble, RecordedCall } from './control.ts';
import type { LaunchedDesktop, LaunchOptions } from './launched-desktop.ts';

/** Milliseconds after which a start that has not shown its first window's page hangs. */
const START_MS = 60_000;

/** What only the double can do besides. */
export interface LaunchedDouble extends LaunchedDesktop {
  /** Sends a message to main as a frame that Chromium would not let exist: to show that main refuses it. */
  forgeIpc(channel: string, frame: { origin: string; url: string; isMainFrame: boolean }): Promise<void>;
  minimizeWindow(): Promise<void>;
  setSystemDark(dark: boolean): Promise<void>;
  /** Tells the process of a later start with this command line, in one turn with what was asked of it before. */
  laterStart(...argv: string[]): Promise<void>;
}

/** Runs the built desktop bundles on the double, with its windows in `browser`. */
export async function launchDesktopDouble(
  options: LaunchOptions,
  browser: ReachableChromium,
): Promise<LaunchedDouble> {
  const before = browser.context.pages();
  const double = startDouble(options, browser.endpoint);
  try {
    const page = await firstWindow(browser.context, double);
    return asDesktop(double, browser, { page, before }, options);
  } catch (error) {
    await double.stop();
    throw error;
  }
}

function asDesktop(
  double: Double,
  browser: ReachableChromium,
  { page, before }: { page: Page; before: readonly Page[] },
  options: LaunchOptions,
): LaunchedDouble {
  const act = double.act;
  const { context, endpoint } = browser;
  return {
    kind: 'double',
    pid: double.process.pid as number,
    page,
    context,
    calls: async (name) => double.calls.filter((call) => call.name === name),
    windows: () => context.pages().filter(isAppPage),
    clickMenu: (...labels) => act('clickMenu', ...labels),
    answerMessageBox: (label) => act('answerMessageBox', label),
    answerFolderDialog: (path) => act('answerFolderDialog', path),
    closeWindow: () => act('closeWindow'),
    crashPage: () => act('crashPage'),
    quit: () => act('quit'),
    forgeIpc: (channel, frame) => act('forgeIpc', channel, frame),
    minimizeWindow: () => act('minimizeWindow'),
    setSystemDark: (dark) => act('setSystemDark', dark),
    laterStart: (...argv) => act('laterStart', ...argv),
    startAgain: (args = []) => startDouble({ ...options, args }, endpoint).exited,
    exited: double.exited,
    stderr: double.stderr,
    async close() {
      await double.stop();
      await closedAllBut(context, before);
    },
  };
}

/** A start that is expected to end before it has a window. Resolves with what it said. */
export async function failingDoubleStart(
  options: LaunchOptions,
  { endpoint }: ReachableChromium,
): Promise<{ code: number | null; stderr: string }> {
  const double = startDouble(options, endpoint);
  try {
    return { code: await double.exited, stderr: double.stderr() };
  } finally {
    await double.stop();
  }
}

interface Double {
  readonly process: ChildProcess;
  readonly calls: readonly RecordedCall[];
  readonly exited: Promise<number | null>;
  act(action: string, ...args: unknown[]): Promise<void>;
  stderr(): string;
  stop(): Promise<unknown>;
}

function startDouble(options: LaunchOptions, endpoint: string): Double {
  const args = [
    join(ROOT, 'e2e/electron-double/run.ts'),
    join(DIST, 'electron/main.js'),
    '--data-dir',
    options.dataDir,
    ...(options.args ?? []),
  ];
  const child = spawn(process.execPath, args, {
    env: {
      ...process.env,
      ...SHARED_COMPILE_CACHE,
      ...options.environment,
      AIRLOCK_DOUBLE_BROWSER: endpoint,
    },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const calls: RecordedCall[] = [];
  const waiting = new Map<number, { resolve(): void; reject(error: Error): void }>();
  child.on('message', (message: FromDouble) => {
    if (message.type === 'call') {
      calls.push(message.call);
      return;
    }
    const request = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) request?.reject(new Error(message.error));
    else request?.resolve();
  });
  // An action that ends the process has done what was asked although no answer comes.
  child.on('exit', () => {
    for (const { resolve } of waiting.values()) resolve();
  });

  let lastId = 0;
  const act = (action: string, ...args: unknown[]): Promise<void> => {
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      child.send({ id, action, args }, (error) => {
        if (error) reject(error);
      });
    });
  };
  const said = () => stderr;
  return { process: child, calls, exited, act, stderr: said, stop: () => endHost(child, said) };
}

async function firstWindow(context: BrowserContext, double: Double): Promise<Page> {
  const page = context.waitForEvent('page', { timeout: START_MS });
  const failed = double.exited.then((code) => {
    throw new Error(`The double ended with ${code} before it had a window. It said:\n${double.stderr()}`);
  });
  const found = await Promise.race([page, failed]);
  await found.waitForURL(isAppUrl, { timeout: START_MS });
  return found;
}

/** The pages of a double go when it does (see run.ts); the next test must not find them. */
async function closedAllBut(context: BrowserContext, before: readonly Page[]): Promise<void> {
  const left = context.pages().filter((page) => !before.includes(page));
  await Promise.all(left.map((page) => page.isClosed() || page.waitForEvent('close')));
}

const isAppUrl = (url: URL): boolean => url.host === 'airlock.app.test';
const isAppPage = (page: Page): boolean => isAppUrl(new URL(page.url()));

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { chromiumFlags, findChromium, findPageBrowser } from './chromium.ts';
import { expect } from './expect.ts';

/** A browser whose pages Playwright sees, whoever opened them, and in which others can open some. */
export interface ReachableChromium {
  readonly context: BrowserContext;
  /** DevTools address for those others. */
  readonly endpoint: string;
}

/** The browsers of one worker, each started by the first test that needs it and shared by all that follow. */
export class WorkerBrowsers {
  #plain: Promise<Browser> | null = null;
  #whole: Promise<Browser> | null = null;
  #reachable: Promise<ReachableChromium> | null = null;
  readonly #folders: string[] = [];

  /** For pages in contexts of Playwright's. */
  plain(): Promise<Browser> {
    this.#plain ??= chromium.launch({ executablePath: findPageBrowser(), args: chromiumFlags() });
    return this.#plain;
  }

  /** As a person has it, with windows of its own: for what pages do to each other's windows. */
  whole(): Promise<Browser> {
    this.#whole ??= chromium.launch({ executablePath: findChromium(), args: chromiumFlags() });
    return this.#whole;
  }

  /** For the windows of the Electron double. */
  reachable(): Promise<ReachableChromium> {
    this.#reachable ??= this.#launchReachable();
    return this.#reachable;
  }

  async close(): Promise<void> {
    await (await this.#plain)?.close();
    await (await this.#whole)?.close();
    await (await this.#reachable)?.context.close();
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }

  async #launchReachable(): Promise<ReachableChromium> {
    const profile = await mkdtemp(join(tmpdir(), 'airlock-chromium-'));
    this.#folders.push(profile);
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: findPageBrowser(),
      args: [...chromiumFlags(), '--remote-debugging-port=0'],
      viewport: null,
    });
    return { context, endpoint: await endpointOf(profile) };
  }
}

/** Chromium writes down where others reach it; Playwright may have reached it before. */
async function endpointOf(profile: string): Promise<string> {
  const written = () => readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '');
  await expect.poll(written).toContain('/devtools/');
  const [port, path] = (await written()).split('\n');
  return `ws://127.0.0.1:${port}${path}`;
}

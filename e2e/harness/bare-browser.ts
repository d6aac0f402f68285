import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DevTools, type DevToolsSession } from '../electron-double/devtools.ts';
import { chromiumFlags, findChromium } from './chromium.ts';

/**
 * A browser without Playwright, whose page can really be hidden: Playwright keeps every page focused and visible, and
 * switches the throttling of hidden pages off.
 */
export class BareBrowser {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #devtools: DevTools;
  readonly #page: { readonly targetId: string; readonly session: DevToolsSession };
  #cover: string | null = null;

  /** Resolves when the tab was passed on to the main page. */
  static async launch(address: string): Promise<BareBrowser> {
    const profile = await mkdtemp(join(tmpdir(), 'airlock-bare-browser-'));
    const args = [
      ...chromiumFlags(),
      '--headless',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
    ];
    const child = spawn(findChromium(), [...args, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const devtools = await DevTools.connect(await endpointOf(child));
    const { targetInfos } = await devtools.send('Target.getTargets');
    const target = (targetInfos as { type: string; targetId: string }[]).find(({ type }) => type === 'page');
    if (!target) throw new Error('The browser has no page.');
    const session = await devtools.attach(target.targetId);
    await session.send('Page.enable');
    const loaded = passedOn(session, new URL(address).origin);
    await session.send('Page.navigate', { url: address });
    await loaded;
    return new BareBrowser(child, profile, devtools, { targetId: target.targetId, session });
  }

  private constructor(
    child: ChildProcess,
    profile: string,
    devtools: DevTools,
    page: { targetId: string; session: DevToolsSession },
  ) {
    this.#process = child;
    this.#profile = profile;
    this.#devtools = devtools;
    this.#page = page;
  }

  /** The value of an expression in the page, as JSON. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.#page.session.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return (result as { value: T }).value;
  }

  /** Types text; a line feed is Enter. */
  async type(text: string): Promise<void> {
    for (const character of text) {
      const key =
        character === '\n'
          ? { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' }
          : { text: character };
      await this.#page.session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
      await this.#page.session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key, text: undefined });
    }
  }

  /** Opens another tab over the page, which is hidden from then on. */
  async hide(): Promise<void> {
    const { targetId } = await this.#devtools.send('Target.createTarget', { url: 'about:blank' });
    this.#cover = targetId as string;
  }

  async show(): Promise<void> {
    if (this.#cover !== null) await this.#devtools.send('Target.closeTarget', { targetId: this.#cover });
    this.#cover = null;
    await this.#devtools.send('Target.activateTarget', { targetId: this.#page.targetId });
  }

  /** Bytes of the page's JavaScript heap, garbage collected first. */
  async heapBytes(): Promise<number> {
    await this.#page.session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await this.#page.session.send('Runtime.getHeapUsage');
    return usedSize as number;
  }

  async close(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.kill();
    await exited;
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Resolves when a page has loaded that is not of `origin`. */
function passedOn(session: DevToolsSession, origin: string): Promise<void> {
  return new Promise((resolve) => {
    session.on('Page.loadEventFired', async () => {
      const answer = await session.send('Runtime.evaluate', { expression: 'location.origin' });
      if ((answer['result'] as { value: string }).value !== origin) resolve();
    });
  });
}

/** Chromium says on stderr where its DevTools listen. */
async function endpointOf(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error('No stderr.');
  for await (const line of createInterface(child.stderr)) {
    const endpoint = /ws:\/\/\S+/.exec(line)?.[0];
    if (endpoint !== undefined) {
      child.stderr.resume();
      return endpoint;
    }
  }
  throw new Error('The browser ended before it listened.');
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium, type Page } from '@playwright/test';
import { chromiumFlags, findChromium } from '../e2e/harness/chromium.ts';
import { type HeadlessHost, startHeadlessHost } from '../e2e/harness/headless-host.ts';
import { FOLDER_TARGETS } from '../shared/terminal/inside.ts';
import { buildPages } from './build-pages.ts';
import { asTerminalOutput, colouredLog } from './coloured-log.ts';
import type { BenchPage } from './page/gauge.ts';

declare global {
  interface Window {
    bench: BenchPage;
    /** Only in the page of xterm.js alone. */
    parse(address: string): Promise<number>;
  }
}

export type Renderer = 'dom' | 'webgl';

/** A page with a terminal whose shell stands at its prompt. */
export interface Shell {
  readonly page: Page;
  /** Process id of the host behind the page. */
  readonly hostPid: number;
  /** Where this shell finds the log. */
  readonly log: string;
}

/** As in the settings file. */
export type ProfileSettings = Readonly<Record<string, boolean>>;

export interface Log {
  readonly bytes: number;
  /** Bytes of it as a PTY puts them out. */
  readonly outputBytes: number;
}

/** The running parts of a benchmark, each started once. */
export interface Bench {
  readonly log: Log;
  /** `profile`: settings of the shell's profile besides those of the bench. */
  openAirlock(renderer: Renderer, profile?: ProfileSettings): Promise<Shell>;
  openPlain(renderer: Renderer, size: { cols: number; rows: number }): Promise<Shell>;
  /** xterm.js alone; `parse('output.ansi')` in the page gives milliseconds. */
  openAlone(renderer: Renderer, size: { cols: number; rows: number }): Promise<Page>;
  /** Closes what was opened and is still open. */
  closeAll(): Promise<void>;
  close(): Promise<void>;
}

const PROMPT_MS = 20_000;

export async function startBench(logBytes: number): Promise<Bench> {
  const workDir = await mkdtemp(join(tmpdir(), 'airlock-bench-'));
  const logDir = join(workDir, 'log');
  await mkdir(logDir);
  const log = colouredLog(logBytes);
  const output = asTerminalOutput(log);
  await writeFile(join(logDir, 'log.ansi'), log);
  await writeFile(join(logDir, 'output.ansi'), output);
  const { observer } = await buildPages(join(workDir, 'pages'));
  const plain = await startPlainServer(join(workDir, 'pages'), logDir);
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags() });

  const address = (name: string, renderer: Renderer, size: { cols: number; rows: number }) =>
    `http://127.0.0.1:${plain.port}/${name}.html?renderer=${renderer}&cols=${size.cols}&rows=${size.rows}`;

  const hosts: HeadlessHost[] = [];
  const closeAll = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await Promise.all(hosts.splice(0).map((host) => host.stop()));
  };

  return {
    log: { bytes: log.length, outputBytes: output.length },
    async openAirlock(renderer, profile = {}) {
      const host = await startAirlock(workDir, logDir, renderer, profile);
      hosts.push(host);
      const page = await newPage(browser);
      await page.addInitScript({ path: observer });
      await page.goto(host.address);
      await page.getByRole('button', { name: 'Open a shell' }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => window.bench.gauge.atPrompt(), null, { timeout: PROMPT_MS });
      return { page, hostPid: host.pid, log: `${FOLDER_TARGETS.project}/log.ansi` };
    },
    async openPlain(renderer, size) {
      const page = await newPage(browser);
      await page.goto(address('plain', renderer, size));
      await page.waitForFunction(() => window.bench.gauge.atPrompt(), null, { timeout: PROMPT_MS });
      return { page, hostPid: plain.process.pid as number, log: 'log.ansi' };
    },
    async openAlone(renderer, size) {
      const page = await newPage(browser);
      await page.goto(address('alone', renderer, size));
      return page;
    },
    closeAll,
    async close() {
      await closeAll();
      await browser.close();
      plain.process.kill();
      await rm(workDir, { recursive: true });
    },
  };
}

/** A context of its own for each page, so that no two share a renderer process. */
async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  return context.newPage();
}

async function startPlainServer(
  pages: string,
  logDir: string,
): Promise<{ process: ChildProcess; port: number }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'plain/server.ts'), pages, logDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { process: child, port: (JSON.parse(line) as { port: number }).port };
}

async function startAirlock(
  workDir: string,
  logDir: string,
  renderer: Renderer,
  profile: ProfileSettings,
): Promise<HeadlessHost> {
  const dataDir = await mkdtemp(join(workDir, 'data-'));
  const settings = {
    version: 1,
    terminal: { renderer },
    profiles: [{ id: 'shell', name: 'Shell', project: logDir, ...profile }],
  };
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify(settings));
  return startHeadlessHost({ dataDir });
}

/** Types a command at the prompt, all at once, without the Enter. */
export async function typeCommand(shell: Shell, command: string): Promise<void> {
  await shell.page.keyboard.insertText(command);
  await shell.page.waitForFunction(() => window.bench.gauge.parsed === window.bench.gauge.received);
}

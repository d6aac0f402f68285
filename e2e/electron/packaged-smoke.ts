/**
 * Whether a packaged Airlock starts: `node e2e/electron/packaged-smoke.ts PROGRAM`. Its window shows the page, the page
 * draws, and the fuses hold: the program is no Node and takes no Node options.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { chromium } from '@playwright/test';

const START_MS = 60_000;

/** A fuse in the program's file is one of these characters. */
const OFF = '0'.charCodeAt(0);
const ON = '1'.charCodeAt(0);
/** As in electron-builder.yml. */
const FUSES = [
  [FuseV1Options.RunAsNode, OFF],
  [FuseV1Options.EnableCookieEncryption, ON],
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable, OFF],
  [FuseV1Options.EnableNodeCliInspectArguments, OFF],
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation, ON],
  [FuseV1Options.OnlyLoadAppFromAsar, ON],
  [FuseV1Options.GrantFileProtocolExtraPrivileges, OFF],
] as const;

const [, , argument] = process.argv;
if (!argument) throw new Error('usage: packaged-smoke.ts PROGRAM');
const program = resolve(argument);
const folder = await mkdtemp(join(tmpdir(), 'airlock-smoke-'));

try {
  await checkFuses();
  await showThePage();
  console.log('The packaged app starts, shows its page and has its fuses.');
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function checkFuses(): Promise<void> {
  const wire = await getCurrentFuseWire(program);
  for (const [fuse, expected] of FUSES) {
    if (wire[fuse] !== expected) throw new Error(`The fuse ${FuseV1Options[fuse]} is not set as configured.`);
  }
}

/** With the environment that would make an unfused Electron a Node: that one would never show a page. */
async function showThePage(): Promise<void> {
  const app = spawn(program, ['--remote-debugging-port=0', '--data-dir', folder], {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--require=/nowhere.cjs' },
  });
  try {
    const browser = await chromium.connectOverCDP(await devToolsAddress(app), { timeout: START_MS });
    const page = browser.contexts()[0]?.pages()[0] ?? (await browser.contexts()[0]?.waitForEvent('page'));
    await page?.waitForURL('app://airlock/**', { timeout: START_MS });
    await page?.getByRole('tablist').or(page.getByRole('main')).first().waitFor({ timeout: START_MS });
    await browser.close();
  } finally {
    app.kill();
    await once(app, 'exit');
  }
}

function devToolsAddress(app: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    app.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (address) resolve(address);
    });
    app.once('exit', (code) => reject(new Error(`The app ended with ${code}. It said:\n${said}`)));
  });
}

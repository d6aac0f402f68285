import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  makeProcessFolder,
  removeLeftFolders,
  removeProcessFolder,
} from '../electron/sandbox/process-folder.ts';
import { ROOT } from './root.ts';

const ELECTRON = join(ROOT, 'node_modules', 'electron');

/** Milliseconds the download of Electron's binary (about 120 MB) may take before the browser is used instead. */
const DOWNLOAD_MS = 5 * 60_000;

const PREFIX = 'airlock-electron-';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Absolute path of Electron's program, or null while its binary has not been fetched. */
export function electronProgram(): string | null {
  try {
    const program = join(ELECTRON, 'dist', readFileSync(join(ELECTRON, 'path.txt'), 'utf8'));
    return existsSync(program) ? program : null;
  } catch {
    return null;
  }
}

/** Why no Electron window can be opened here, or null. Says nothing of the binary. */
export function electronObstacle(): string | null {
  if (process.platform !== 'linux') return null;
  // Electron as root runs only without its own sandbox, and Airlock never asks for that.
  if (process.getuid?.() === 0) return 'Electron does not run as root';
  if (!process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) return 'there is no display';
  return sandboxObstacle();
}

/** Ubuntu 24.04 keeps unknown programs from the user namespaces that Chromium's own sandbox is made of. */
function sandboxObstacle(): string | null {
  if (readText('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') !== '1') return null;
  const helper = join(ELECTRON, 'dist', 'chrome-sandbox');
  const { uid, mode } = statSync(helper, { throwIfNoEntry: false }) ?? { uid: -1, mode: 0 };
  if (uid === 0 && (mode & 0o4000) !== 0) return null;
  const fix = `sudo chown root '${helper}' && sudo chmod 4755 '${helper}'`;
  return existsSync(helper) ? `AppArmor keeps Electron from its own sandbox; allow it with: ${fix}` : null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

/**
 * Fetches Electron's binary with its own installer, saying on stderr how far it is. Resolves to the program's path,
 * or to the reason why there is none.
 */
export async function fetchElectron(): Promise<{ program: string } | { reason: string }> {
  const present = electronProgram();
  if (present) return { program: present };
  const { code, error } = await runInstaller(join(ELECTRON, 'install.js'));
  const program = electronProgram();
  if (program) return { program };
  const why = code === null ? ` within ${DOWNLOAD_MS / 60_000} minutes` : error && ` (${error})`;
  return { reason: `Electron could not be fetched${why}` };
}

/**
 * Runs an installer with a temporary folder of its own, which goes when it ends. A signal that is to end this process ends the
 * installer first. Removes what former ones left that were killed.
 */
export async function runInstaller(script: string): Promise<{ code: number | null; error: string }> {
  await removeLeftFolders(tmpdir(), PREFIX);
  const folder = await makeProcessFolder(tmpdir(), PREFIX);
  // It downloads into the folder before it unpacks: what has grown there is the progress.
  const progress = setInterval(() => sayProgress(folder), process.stderr.isTTY ? 500 : 10_000);
  const installer = spawn(process.execPath, [script], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder, ELECTRON_GET_NO_PROGRESS: '1' },
  });
  let interrupted: NodeJS.Signals | null = null;
  const interrupt = (signal: NodeJS.Signals) => {
    interrupted = signal;
    installer.kill('SIGKILL');
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  const chunks: Buffer[] = [];
  installer.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const timer = setTimeout(() => installer.kill(), DOWNLOAD_MS);
  const code = await new Promise<number | null>((resolve) => installer.once('close', resolve));
  clearTimeout(timer);
  clearInterval(progress);
  await removeProcessFolder(folder);
  if (interrupted !== null) process.exit(128 + constants.signals[interrupted]);
  for (const signal of SIGNALS) process.off(signal, interrupt);
  const lines = Buffer.concat(chunks).toString().split('\n');
  return { code, error: (lines.find((line) => /error/i.test(line)) ?? '').trim().slice(0, 120) };
}

function sayProgress(folder: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const bytes = files.reduce((sum, file) => sum + sizeOf(join(file.parentPath, file.name)), 0);
  const text = `Fetching Electron (once): ${(bytes / 1e6).toFixed(0)} MB`;
  if (process.stderr.isTTY) process.stderr.write(`\r${text}`);
  else console.error(text);
}

/** A file that is being moved away counts as nothing. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

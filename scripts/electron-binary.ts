import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.ts';

const ELECTRON = join(ROOT, 'node_modules', 'electron');

/** Milliseconds the download of Electron's binary (about 120 MB) may take before the browser is used instead. */
const DOWNLOAD_MS = 5 * 60_000;

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
  return null;
}

/**
 * Fetches Electron's binary with its own installer, which shows the progress. Resolves to the program's path, or to
 * the reason why there is none. SIGINT ends the download and the caller.
 */
export async function fetchElectron(): Promise<{ program: string } | { reason: string }> {
  const present = electronProgram();
  if (present) return { program: present };
  console.error('Fetching Electron (once) …');
  const installer = spawn(process.execPath, [join(ELECTRON, 'install.js')], { stdio: ['ignore', 2, 'pipe'] });
  let lastLine = '';
  installer.stderr.on('data', (chunk: Buffer) => {
    const text = chunk.toString();
    lastLine = text.split('\n').find((line) => /error/i.test(line)) ?? lastLine;
    if (!/^\s+at /m.test(text)) process.stderr.write(text);
  });
  const timer = setTimeout(() => installer.kill(), DOWNLOAD_MS);
  const code = await new Promise<number | null>((resolve) => installer.once('exit', resolve));
  clearTimeout(timer);
  const program = electronProgram();
  if (program) return { program };
  if (code === null)
    return { reason: `Electron could not be fetched within ${DOWNLOAD_MS / 60_000} minutes` };
  return { reason: `Electron could not be fetched${lastLine ? ` (${lastLine.trim().slice(0, 120)})` : ''}` };
}

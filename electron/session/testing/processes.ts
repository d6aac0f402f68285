import { readdirSync, readFileSync } from 'node:fs';

/**
 * Numbers of the live processes whose arguments mention `text`: those of a sandbox and, where the text is in the
 * program's arguments, also the ones that set the sandbox up. Zombies count as gone.
 */
export function processesMentioning(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/cmdline`).includes(text) && isLive(name))
    .map(Number);
}

/** Ends what `processesMentioning` finds. */
export function killProcessesMentioning(text: string): void {
  for (const pid of processesMentioning(text)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone in the meantime.
    }
  }
}

function isLive(pid: string): boolean {
  return !/^State:\s+[ZX]/m.test(read(`/proc/${pid}/status`));
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

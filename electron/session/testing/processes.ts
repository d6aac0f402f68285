import { readdirSync, readFileSync } from 'node:fs';

/** Numbers of the live processes that have `argument` among theirs. Zombies count as gone. */
export function processesWith(argument: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isLive(name) && hasArgument(name, argument))
    .map(Number);
}

function hasArgument(pid: string, argument: string): boolean {
  return read(`/proc/${pid}/cmdline`).split('\0').includes(argument);
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

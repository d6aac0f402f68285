import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

/** Runs `work` while this process has no descriptor left but `free`. */
export async function withoutDescriptors(work: () => unknown, free = 0): Promise<void> {
  const soft = /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? '';
  limit(String(Math.max(...readdirSync('/proc/self/fd').map(Number)) + 20));
  const fillers: number[] = [];
  try {
    fill(fillers);
    for (const filler of fillers.splice(fillers.length - free)) closeSync(filler);
    await work();
  } finally {
    for (const filler of fillers) closeSync(filler);
    limit(soft);
  }
}

function fill(fillers: number[]): void {
  try {
    for (;;) fillers.push(openSync('/dev/null', 'r'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EMFILE') throw error;
  }
}

function limit(to: string): void {
  execFileSync('/usr/bin/prlimit', ['--pid', String(process.pid), `--nofile=${to}:`]);
}

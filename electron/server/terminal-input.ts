import { readFileSync } from 'node:fs';

/**
 * Whether Enter can be waited for: standard input is a terminal and this process is its foreground job. A background
 * job that reads its terminal is stopped by the kernel, and with it every session.
 */
export function canAwaitEnter(): boolean {
  return process.stdin.isTTY === true && isForegroundJob();
}

function isForegroundJob(): boolean {
  if (process.platform !== 'linux') return true;
  try {
    // Fields after the parenthesised name: state, ppid, pgrp, session, tty_nr, tpgid (proc_pid_stat(5)).
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[2] === fields[5];
  } catch {
    return false;
  }
}

import { readFileSync } from 'node:fs';

/** Resident bytes of a process, from /proc. */
export function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error(`No resident size for process ${pid}.`);
  return Number(kilobytes) * 1024;
}

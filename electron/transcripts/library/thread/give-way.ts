import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

/** A third of the time that a thread of the usual priority gets: less of it, and on a busy machine nothing would be listed for minutes. */
const NICENESS = 5;

/** Lets other threads of the machine go before this one, where threads have priorities of their own: on Linux. */
export function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), NICENESS);
  } catch {
    // It works all the same, and rests while sessions run.
  }
}

import { readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasEnded, readProcess } from '../../process-identity.ts';

/** Control group folders made for one session. */
export class SessionGroups {
  readonly #folders: readonly string[];

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /**
   * Moves processes in. They must not have children outside, and must be held until this resolves. What the kernel
   * refuses stays where it is; the limits are read back afterwards, so nothing is claimed that does not hold.
   */
  async join(pids: readonly number[]): Promise<void> {
    // Asynchronous: the kernel may take 20 ms for a move, waiting for all of its processors.
    const move = (folder: string, pid: number) =>
      writeFile(join(folder, 'cgroup.procs'), String(pid)).catch(() => {});
    await Promise.all(this.#folders.flatMap((folder) => pids.map((pid) => move(folder, pid))));
  }

  /** Whether certainly nothing runs in the groups. */
  isEmpty(): boolean {
    try {
      return this.#processes().length === 0;
    } catch {
      return false;
    }
  }

  /**
   * Ends whatever is still in the groups, as far as that can be looked at. Members are read from the kernel at this moment: a group that only this
   * session was ever put into cannot hold a stranger's process.
   */
  killAll(): void {
    for (const folder of this.#folders) {
      try {
        writeFileSync(join(folder, 'cgroup.kill'), '1');
      } catch {
        // Version 1, or a kernel before 5.14: one by one below.
      }
    }
    try {
      for (const pid of this.#processes()) kill(pid);
    } catch {
      // `isEmpty` says so.
    }
  }

  /** Removes the folders. False while a process is still in one. */
  remove(): boolean {
    return this.#folders.map(removeFolder).every(Boolean);
  }

  /** Processes that run in the groups; zombies, which only wait for their parent, do not count. */
  #processes(): number[] {
    const pids = this.#folders.flatMap(membersOf).filter((pid) => {
      const process = readProcess(pid);
      return process !== null && !hasEnded(process);
    });
    return [...new Set(pids)];
  }
}

function membersOf(folder: string): number[] {
  try {
    return readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The group was removed, before the file was opened or after it.
    if (code === 'ENOENT' || code === 'ENODEV') return [];
    throw error;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone in the meantime.
  }
}

/** False when it is still in use. */
export function removeFolder(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

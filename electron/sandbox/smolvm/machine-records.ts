import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { UnresolvedSession } from '../../../shared/terminal/smolvm-machine.ts';
import { requirePlainFile } from '../../plain-file.ts';
import { syncFolder } from '../../sync-folder.ts';
import { hostProcessSchema, mayBeAlive, thisProcess } from '../host-process.ts';
import { SmolvmFailure } from './failure.ts';

const recordSchema = z.strictObject({
  v: z.literal(2),
  address: z.string(),
  machine: z.string(),
  /** Names this one opening: the `execution` of its identity. */
  execution: z.string(),
  since: z.string(),
  /** Who has it open. */
  host: hostProcessSchema,
  /** Null while it is open. */
  unresolved: z.string().nullable(),
});
type MachineRecord = z.infer<typeof recordSchema>;

/** Which machine: a server's address, one for all ways to write it (`Endpoint.server`), and a name. */
export interface MachinePlace {
  readonly address: string;
  readonly machine: string;
}

const RECORD_MAX_BYTES = 64 * 1024;
const HOST_ENDED = 'Airlock ended while it was open.';
const NOT_READABLE = 'Its record cannot be read.';

/**
 * Which machines have a session, and which have one whose end is not known (rule 10): a file for each in `folder`, written
 * before anything is dispatched and removed when the program's end is confirmed or a person says that it was looked at. So
 * a machine stays blocked whatever becomes of this process, and for other hosts on the same folder too. A record that cannot
 * be read blocks; none is ever taken over.
 */
export class MachineRecords {
  readonly #folder: string;
  /** Executions that this process has open. */
  readonly #open = new Set<string>();
  /** Reasons that are not in their files yet, or for good: the disk was full. They block as the files do. */
  readonly #unwritten = new Map<string, string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Takes the machine for one session: resolves with its execution once that is on the disk. Rejects with SmolvmFailure:
   * `blocked`, or `refused` when it cannot be recorded.
   */
  async claim(place: MachinePlace): Promise<string> {
    this.requireFree(place);
    const execution = randomUUID();
    const record: MachineRecord = {
      v: 2,
      ...place,
      execution,
      since: new Date().toISOString(),
      host: thisProcess(),
      unresolved: null,
    };
    this.#open.add(execution);
    try {
      if (await this.#created(place, record)) return execution;
      this.requireFree(place);
      throw new SmolvmFailure('blocked', `The machine "${place.machine}" had a session just now: try again.`);
    } catch (error) {
      this.#open.delete(execution);
      throw error;
    }
  }

  /** Throws SmolvmFailure `blocked` when a session of this machine is open, or unresolved. */
  requireFree(place: MachinePlace): void {
    const found = this.sessionOf(place);
    if (found === 'none') return;
    const { machine } = place;
    if (found === 'open') {
      throw new SmolvmFailure(
        'blocked',
        `The machine "${machine}" has a session already: end that one first.`,
      );
    }
    throw new SmolvmFailure(
      'blocked',
      `The machine "${machine}" is blocked: how its session of ${found.since} ended is not known. ${found.reason} Look at the machine, then mark that session as resolved.`,
    );
  }

  /** What is known of this machine's session. */
  sessionOf(place: MachinePlace): 'none' | 'open' | UnresolvedSession {
    const record = this.#read(this.#path(place));
    if (record === null) return 'none';
    if (record === 'unreadable') return { ...place, since: 'an unknown time', reason: NOT_READABLE };
    return this.#judge(record);
  }

  /** The program's end is confirmed, or nothing was dispatched. */
  release(place: MachinePlace, execution: string): void {
    const record = this.#read(this.#path(place));
    if (record === 'unreadable' || record?.execution === execution)
      rmSync(this.#path(place), { force: true });
    this.#open.delete(execution);
  }

  /**
   * It is over for this host, and how the program ended is not known: so from this call on. Resolves when that is on the disk,
   * or cannot be; never rejects, since the machine is blocked in any case.
   */
  async leaveUnresolved(place: MachinePlace, execution: string, reason: string): Promise<void> {
    this.#unwritten.set(execution, reason);
    this.#open.delete(execution);
    try {
      await this.#writeReason(this.#path(place), execution, reason);
      this.#unwritten.delete(execution);
    } catch {
      // It stays in mind.
    }
  }

  /** The record of this execution, unresolved now; null when it was resolved, or never made. */
  async afterHostLoss(execution: string): Promise<UnresolvedSession | null> {
    for (const record of this.#all()) {
      if (record.execution !== execution) continue;
      const reason = record.unresolved ?? HOST_ENDED;
      await this.leaveUnresolved(record, execution, reason);
      return { machine: record.machine, address: record.address, since: record.since, reason };
    }
    return null;
  }

  /** Of every server, the oldest first; without those that cannot be read, which name no machine. */
  unresolved(): UnresolvedSession[] {
    return this.#all()
      .flatMap((record) => {
        const found = this.#judge(record);
        return typeof found === 'string' ? [] : [found];
      })
      .sort((a, b) => a.since.localeCompare(b.since));
  }

  /**
   * A person has looked at the machine. False when there is nothing to resolve. Throws SmolvmFailure `blocked` while the
   * session is open, and what the file system says.
   */
  resolve(place: MachinePlace): boolean {
    const found = this.sessionOf(place);
    if (found === 'none') return false;
    if (found === 'open') {
      throw new SmolvmFailure(
        'blocked',
        `The session of the machine "${place.machine}" is open: end it first.`,
      );
    }
    const record = this.#read(this.#path(place));
    rmSync(this.#path(place), { force: true });
    if (record !== null && record !== 'unreadable') this.#unwritten.delete(record.execution);
    return true;
  }

  #judge(record: MachineRecord): 'open' | UnresolvedSession {
    const { address, machine, since, execution, host } = record;
    const reason = record.unresolved ?? this.#unwritten.get(execution) ?? null;
    if (reason !== null) return { address, machine, since, reason };
    if (this.#open.has(execution)) return 'open';
    const isOurs = isDeepStrictEqual(host, thisProcess());
    if (!isOurs && mayBeAlive(host)) return 'open';
    return { address, machine, since, reason: HOST_ENDED };
  }

  #all(): MachineRecord[] {
    return this.#names().flatMap((name) => {
      const record = this.#read(join(this.#folder, name));
      return record === null || record === 'unreadable' ? [] : [record];
    });
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder).filter((name) => name.endsWith('.json'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  #path({ address, machine }: MachinePlace): string {
    const digest = createHash('sha256').update(`${address}\n${machine}`).digest('hex');
    return join(this.#folder, `${digest}.json`);
  }

  #read(path: string): MachineRecord | 'unreadable' | null {
    try {
      requirePlainFile(path, RECORD_MAX_BYTES);
      const parsed = recordSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
      return parsed.success ? parsed.data : 'unreadable';
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : 'unreadable';
    }
  }

  async #created(place: MachinePlace, record: MachineRecord): Promise<boolean> {
    try {
      return await this.#create(this.#path(place), record);
    } catch (error) {
      const { message } = error as Error;
      throw new SmolvmFailure('refused', `Nothing was done: it cannot be recorded (${message}).`);
    }
  }

  /** False when there is one already. Whole or not at all, also for another host that looks at the same moment. */
  async #create(path: string, record: MachineRecord): Promise<boolean> {
    const fresh = await this.#write(record);
    try {
      await link(fresh, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    } finally {
      await rm(fresh, { force: true });
    }
    try {
      await syncFolder(this.#folder);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return true;
  }

  async #writeReason(path: string, execution: string, reason: string): Promise<void> {
    const before = this.#read(path);
    if (before === null || before === 'unreadable' || before.execution !== execution) return;
    const fresh = await this.#write({ ...before, unresolved: reason });
    // In one turn: it may have been resolved meanwhile, and the machine may have another session.
    const now = this.#read(path);
    if (now !== null && now !== 'unreadable' && now.execution === execution) renameSync(fresh, path);
    else rmSync(fresh, { force: true });
    await syncFolder(this.#folder);
  }

  async #write(record: MachineRecord): Promise<string> {
    const isNew = (await mkdir(this.#folder, { recursive: true, mode: 0o700 })) !== undefined;
    if (isNew) await syncFolder(dirname(this.#folder));
    const path = join(this.#folder, `${randomUUID()}.new`);
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(record)}\n`);
      await file.sync();
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return path;
  }
}

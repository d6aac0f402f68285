import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Disposable, DisposableStore, toDisposable } from '../../../../shared/disposable.ts';
import { INDEX_REST, INDEX_SLICE_MS, LIBRARY_SCAN_MS } from '../../../../shared/transcripts/limits.ts';
import { transcriptIdSchema } from '../../../../shared/transcripts/transcript.ts';
import { bytesOf, NoSegmentError, segmentsOf } from '../../cast/segments.ts';
import { Aside, NotStoredError } from './aside/aside.ts';
import { factsOf, unreadableFacts } from './facts.ts';
import {
  isDamage,
  isDiskFull,
  isReplaced,
  type OpenIndex,
  openIndexToWrite,
  removeIndex,
} from './index-file.ts';
import { IndexStore } from './index-store.ts';
import { claimRecording, isBeingWritten, releaseRecording } from './recording-host.ts';
import { TranscriptIndexer } from './transcript-indexer.ts';
import { takeWriterLock } from './writer-lock.ts';

/** Recordings whose terminals are kept while they grow; others go on from their last snapshot. */
const OPEN_MAX = 64;
/** Transcripts that are entered at once before their content is looked at. */
const ENTERED_AT_ONCE = 100;
/** Milliseconds of work at one recording after which others have their turn: a foreign file may take hours. */
const TURN_MS = 2_000;
/** Milliseconds between two looks at a recording that grows. */
const GROWING_MS = 300;

const NO_ROOM =
  'The disk is full, and there is no room for the index. Free some space, or delete what is no longer needed; recordings are not touched, and are listed again then.';

export interface KeeperOptions {
  /** Of all transcripts. */
  readonly folder: string;
  /** Something of the index is other than before. */
  readonly changed: () => void;
  readonly report: (fault: unknown) => void;
  /** Output between two snapshots; SNAPSHOT_EVERY_BYTES when left out. */
  readonly snapshotEvery?: number;
}

/** How far a recording of this host has come; see `RecordingProgress`. */
export interface Growth {
  readonly id: string;
  readonly bytes: number;
  readonly ended: boolean;
}

/**
 * Keeps the index what the recordings are: enters new ones, follows those that grow, takes out what is gone, and makes the
 * index anew when it is missing or damaged. Works in slices of its thread; of several hosts with one data folder one does it.
 */
export class IndexKeeper implements Disposable {
  readonly #options: KeeperOptions;
  readonly #owned = new DisposableStore();
  #lock: Disposable | null = null;
  #index: OpenIndex | null = null;
  #store: IndexStore | null = null;
  /** Of `#store`. */
  #aside: Aside | null = null;
  /** Bytes that recordings of this host have grown by since the last slice. */
  #flow = 0;
  /** Recordings of this host that have no end yet, with the bytes of their whole lines. */
  readonly #growing = new Map<string, number>();
  readonly #unentered: string[] = [];
  /** What is to be looked at, in order. */
  readonly #queue = new Set<string>();
  /** Milliseconds that the one whose turn it is has had. */
  #used = { id: '', ms: 0 };
  readonly #open = new Map<string, TranscriptIndexer>();
  /** Size at the last look, of recordings of other hosts. */
  readonly #sizes = new Map<string, number>();
  /** After a failure it rests until then, on the steady clock: a full disk fails every time, and each time is a line in the log. */
  #restsUntil = 0;
  /** Of the last failure, in words for a person. */
  #failure: string | null = null;
  #turn: NodeJS.Timeout | null = null;
  #soon: NodeJS.Timeout | null = null;
  /** Who waits until there is nothing more to be done. */
  #idle: (() => void)[] = [];

  constructor(options: KeeperOptions) {
    this.#options = options;
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    const scan = setInterval(() => this.scan(), LIBRARY_SCAN_MS);
    this.#owned.add(toDisposable(() => clearInterval(scan)));
    this.scan();
  }

  /** Told by the recorder of this host. */
  grew({ id, bytes, ended }: Growth): void {
    const folder = this.#folderOf(id);
    if (ended) {
      this.#growing.delete(id);
      releaseRecording(folder);
    } else {
      if (!this.#growing.has(id)) claimRecording(folder);
      this.#flow += bytes - (this.#growing.get(id) ?? 0);
      this.#growing.set(id, bytes);
    }
    this.#queue.add(id);
    this.#schedule(ended ? 0 : GROWING_MS);
  }

  /** Why the last thing that failed did, in words for a person. */
  get failure(): string | null {
    return this.#failure;
  }

  /** Makes the index where there is none. Why that is not possible, in words for a person; null when there is one. */
  ensure(): string | null {
    this.#guarded(() => this.#requireStore());
    return this.#store === null ? this.#failure : null;
  }

  /** Throws a damaged index away; another one is made from the recordings. Only the host that writes it does. */
  rebuild(): void {
    this.#closeIndex();
    if (this.#lock === null) return;
    removeIndex(this.#options.folder);
    this.scan();
  }

  /** Those of `ids` that a host may still be writing. */
  runningOf(ids: readonly string[]): string[] {
    const complete = new Set(
      this.#requireStore()
        .transcripts()
        .filter((one) => one.complete)
        .map(({ id }) => id),
    );
    return ids.filter((id) => !complete.has(id) && this.#mayGrow(id));
  }

  /** Deletes recordings for good, and what the index has of them. Throws when that fails. */
  remove(ids: readonly string[]): void {
    for (const id of ids) {
      this.#close(id);
      this.#queue.delete(id);
      rmSync(this.#folderOf(id), { recursive: true, force: true });
    }
    const store = this.#requireStore();
    const known = new Map(store.transcripts().map(({ id, seq }) => [id, seq]));
    store.together(() => {
      for (const id of ids) {
        const seq = known.get(id);
        if (seq !== undefined) store.remove(seq);
      }
    });
    this.#options.changed();
  }

  /** Looks for what is new and what is gone. A few new ones are listed when it returns. */
  scan(): void {
    this.#guarded(() => {
      this.#lock ??= takeWriterLock(this.#options.folder);
      if (this.#lock === null) return;
      const store = this.#requireStore();
      const there = new Set(this.#list());
      const known = store.transcripts();
      for (const { id, seq, complete } of known) {
        if (!there.delete(id)) this.#takeOut(store, id, seq);
        else if (!complete && this.#isWorthALook(id)) this.#queue.add(id);
      }
      this.#unentered.splice(0, this.#unentered.length, ...there);
      if (there.size > 0) this.#enter(store, this.#unentered.splice(0, ENTERED_AT_ONCE));
      this.#schedule(0);
    });
  }

  /** Resolves when there is nothing more to be done for now. */
  idle(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  get #isIdle(): boolean {
    return this.#turn === null && this.#soon === null;
  }

  #tellIdle(): void {
    if (!this.#isIdle) return;
    this.#guarded(() => {
      if (this.#aside?.rest()) this.#options.changed();
    });
    if (this.#isIdle) for (const resolve of this.#idle.splice(0)) resolve();
  }

  dispose(): void {
    this.#owned.dispose();
    for (const timer of [this.#turn, this.#soon]) if (timer !== null) clearTimeout(timer);
    this.#turn = null;
    this.#soon = null;
    this.#tellIdle();
    this.#closeIndex();
    this.#lock?.dispose();
  }

  #schedule(ms: number): void {
    if (this.#owned.disposed || this.#turn !== null) return;
    if (this.#queue.size === 0 && this.#unentered.length === 0) return;
    const wait = Math.max(ms, this.#restsUntil - performance.now());
    this.#turn = setTimeout(() => {
      this.#turn = null;
      // Of this thread: on a busy machine it waits most of the time, and that is no work.
      const before = process.threadCpuUsage();
      this.#guarded(() => this.#work(performance.now() + INDEX_SLICE_MS));
      const { user, system } = process.threadCpuUsage(before);
      this.#schedule(this.#restAfter((user + system) / 1_000));
      this.#tellIdle();
    }, wait);
  }

  /** Sessions come first, those with a flood before all. Milliseconds. */
  #restAfter(workedMs: number): number {
    const { inFlood, whileRunning, floodBytes, maxMs } = INDEX_REST;
    const isFlood = this.#flow > floodBytes;
    this.#flow = 0;
    if (this.#growing.size === 0) return 0;
    return Math.min(workedMs * (isFlood ? inFlood : whileRunning), maxMs);
  }

  #work(deadline: number): void {
    if (this.#lock === null) {
      this.#queue.clear();
      return;
    }
    const store = this.#requireStore();
    if (this.#unentered.length > 0) this.#enter(store, this.#unentered.splice(0, ENTERED_AT_ONCE));
    while (performance.now() < deadline) {
      const id = this.#next();
      if (id === null) return;
      const began = performance.now();
      if (this.#indexOne(store, id, deadline)) this.#queue.delete(id);
      else this.#hasUsed(id, performance.now() - began);
      this.#options.changed();
    }
  }

  /** Whoever takes long is the last again. */
  #hasUsed(id: string, ms: number): void {
    this.#used = { id, ms: this.#used.id === id ? this.#used.ms + ms : ms };
    if (this.#used.ms < TURN_MS) return;
    this.#used = { id: '', ms: 0 };
    this.#queue.delete(id);
    this.#queue.add(id);
  }

  /** Recordings that grow first: somebody may be looking for what just happened. */
  #next(): string | null {
    for (const id of this.#queue) if (this.#growing.has(id)) return id;
    const [first] = this.#queue;
    return first ?? null;
  }

  /** Whether there is nothing more to be done for now. */
  #indexOne(store: IndexStore, id: string, deadline: number): boolean {
    try {
      const indexer = this.#open.get(id) ?? this.#openIndexer(store, id);
      // In this order: what nobody writes any more has all its bytes.
      const mayGrow = this.#mayGrow(id);
      const until = this.#growing.get(id) ?? bytesOf(segmentsOf(this.#folderOf(id)));
      const reached = indexer.step(until, deadline);
      if (reached === null) return false;
      // What another host still writes has its next look after the next scan.
      if (reached < until) return mayGrow && !this.#growing.has(id);
      if (indexer.hasEnded || indexer.isWhole || !mayGrow) {
        indexer.finish();
        this.#close(id);
      }
      return true;
    } catch (error) {
      this.#close(id);
      // Others may build on what was not stored.
      if (isDamage(error) || error instanceof NotStoredError) throw error;
      if (error instanceof NoSegmentError) {
        this.#enterUnreadable(store, id, error);
        return true;
      }
      // Its folder may be gone, or the disk full: the next scan tells.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#options.report(error);
      return true;
    }
  }

  #openIndexer(store: IndexStore, id: string): TranscriptIndexer {
    const [oldest] = this.#open.keys();
    if (this.#open.size >= OPEN_MAX && oldest !== undefined) this.#close(oldest);
    const indexer = new TranscriptIndexer(store, id, this.#folderOf(id), this.#options.snapshotEvery);
    this.#open.set(id, indexer);
    return indexer;
  }

  /** Lists are complete before the search is. */
  #enter(store: IndexStore, ids: readonly string[]): void {
    store.together(() => {
      for (const id of ids) {
        try {
          const { facts, bytes } = factsOf(this.#folderOf(id));
          store.register(id, facts, bytes);
          this.#queue.add(id);
        } catch (error) {
          if (error instanceof NoSegmentError) this.#enterUnreadable(store, id, error);
          else if (isDamage(error)) throw error;
          else this.#options.report(error);
        }
      }
    });
    this.#options.changed();
  }

  /** It is listed, so that it can be deleted. */
  #enterUnreadable(store: IndexStore, id: string, { message }: NoSegmentError): void {
    const { facts, ended } = unreadableFacts(this.#folderOf(id), message);
    const seq = store.register(id, facts, 0);
    store.describe(seq, facts);
    const progress = {
      indexed: 0,
      bytes: 0,
      durationMs: 0,
      ended,
      stopped: null,
      damaged: 0,
      complete: true,
    };
    store.add(seq, { progress, fromLine: 0, lines: [], snapshot: null, moments: [] });
  }

  #takeOut(store: IndexStore, id: string, seq: number): void {
    this.#close(id);
    store.remove(seq);
    this.#options.changed();
  }

  #isWorthALook(id: string): boolean {
    if (this.#queue.has(id)) return false;
    // One that grows is told; but not to a host that has become the keeper since.
    if (this.#growing.has(id)) return !this.#open.has(id);
    const size = this.#sizeOf(id);
    const grew = this.#sizes.get(id) !== size;
    this.#sizes.set(id, size);
    return grew || !this.#mayGrow(id);
  }

  #mayGrow(id: string): boolean {
    return this.#growing.has(id) || isBeingWritten(this.#folderOf(id));
  }

  #sizeOf(id: string): number {
    try {
      return bytesOf(segmentsOf(this.#folderOf(id)));
    } catch {
      return 0;
    }
  }

  #close(id: string): void {
    this.#open.get(id)?.dispose();
    this.#open.delete(id);
  }

  #list(): string[] {
    return readdirSync(this.#options.folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && transcriptIdSchema.safeParse(entry.name).success)
      .map(({ name }) => name);
  }

  #folderOf(id: string): string {
    return join(this.#options.folder, id);
  }

  /** Somebody may have deleted the index meanwhile, or put another into its place. */
  #requireStore(): IndexStore {
    const { folder } = this.#options;
    if (this.#index !== null && isReplaced(folder, this.#index)) this.#closeIndex();
    if (this.#store !== null) return this.#store;
    this.#index = openIndexToWrite(folder);
    // It may be a new one.
    this.#scanSoon();
    this.#aside = new Aside(folder);
    this.#store = new IndexStore(this.#index.database, this.#aside);
    return this.#store;
  }

  #closeIndex(): void {
    for (const id of [...this.#open.keys()]) this.#close(id);
    this.#aside?.dispose();
    this.#aside = null;
    this.#store = null;
    try {
      this.#index?.database.close();
    } finally {
      this.#index = null;
    }
  }

  /** A damaged index is made anew; whatever else fails is tried again by the next scan. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.report(error);
      this.#failure = isDiskFull(error) ? NO_ROOM : (error as Error).message;
      this.#closeIndex();
      if (!isDamage(error) || this.#lock === null) {
        this.#restsUntil = performance.now() + LIBRARY_SCAN_MS;
        return;
      }
      removeIndex(this.#options.folder);
      this.#scanSoon();
    }
  }

  #scanSoon(): void {
    if (this.#owned.disposed || this.#soon !== null) return;
    this.#soon = setTimeout(() => {
      this.#soon = null;
      this.scan();
      this.#tellIdle();
    }, 0);
  }
}

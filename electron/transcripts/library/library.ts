import type { Disposable } from '../../../shared/disposable.ts';
import { Emitter } from '../../../shared/emitter.ts';
import { type TaggedError, taggedError } from '../../../shared/protocol/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { LIBRARY_START_MS } from '../../../shared/transcripts/limits.ts';
import type { RetentionPreview } from '../../../shared/transcripts/transcript.ts';
import type { Growth } from './index/index-keeper.ts';
import type { Described } from './query/catalogue.ts';
import type { RetentionRules } from './retention.ts';
import type { KeeperCalls, ReaderCalls } from './thread/calls.ts';
import { LibraryThread, ThreadFailure } from './thread/library-thread.ts';

/** Where deletions are recorded before they happen; rejects when that is not possible. */
export interface DeletionLog {
  append(record: {
    readonly event: string;
    readonly sessionId: string | null;
    readonly data: Readonly<Record<string, unknown>>;
  }): Promise<void>;
}

export interface LibraryOptions {
  /** Of all transcripts, one folder each; made when missing. */
  readonly folder: string;
  readonly log: DeletionLog;
  /** Told of faults of its threads, which are faults of the host. */
  readonly fault: (message: string) => void;
}

type Answer<T> = Promise<Result<T, TaggedError>>;
type Read<Name extends keyof ReaderCalls> = Exclude<ReturnType<ReaderCalls[Name]>, null>;

/** Transcripts in one line of the audit log. */
const LOGGED_AT_ONCE = 200;

/**
 * The transcripts of a data folder as they are found, replayed and deleted. Everything that takes time happens in two
 * threads: one writes the index, one answers. Never rejects.
 */
export class TranscriptLibrary {
  readonly #options: LibraryOptions;
  readonly #events = new Emitter<{ changed: null }>();
  readonly #keeper: LibraryThread<KeeperCalls>;
  readonly #reader: LibraryThread<ReaderCalls>;
  #started: Promise<void> | null = null;
  #startTimer: NodeJS.Timeout | null = null;
  /** What the keeper has not been told yet. */
  readonly #grown = new Map<string, Growth>();

  constructor(options: LibraryOptions) {
    this.#options = options;
    const { folder, fault } = options;
    const changed = () => this.#events.fire('changed', null);
    this.#keeper = new LibraryThread({ role: 'keeper', folder, changed, fault });
    this.#reader = new LibraryThread({ role: 'reader', folder, changed, fault });
  }

  /** Lists are out of date. At most every LIBRARY_CHANGED_MS. */
  onChange(listener: () => void): Disposable {
    return this.#events.on('changed', listener);
  }

  /** A recording of this host has come further. Indexing begins a little later, or with the first question. */
  grew(growth: Growth): void {
    this.#grown.set(growth.id, growth);
    if (this.#started !== null) this.#tellGrowth();
    else this.#startTimer ??= setTimeout(() => void this.#start(), LIBRARY_START_MS).unref();
  }

  /** Files have been put there by other means, such as an import: resolves when they are listed. */
  async refresh(): Promise<void> {
    await this.#start();
    await this.#keeper.call('scan').catch(() => {});
  }

  list(...args: Parameters<ReaderCalls['list']>): Answer<Read<'list'>> {
    return this.#ask('list', ...args);
  }

  open(id: string): Answer<Read<'open'>> {
    return this.#ask('open', id);
  }

  seek(id: string, atMs: number): Answer<Read<'seek'>> {
    return this.#ask('seek', id, atMs);
  }

  read(id: string, position: number): Answer<Read<'read'>> {
    return this.#ask('read', id, position);
  }

  text(id: string, from: number, count: number): Answer<Read<'text'>> {
    return this.#ask('text', id, from, count);
  }

  find(id: string, search: string): Answer<Read<'find'>> {
    return this.#ask('find', id, search);
  }

  moments(of: Parameters<ReaderCalls['moments']>[0]): Answer<Read<'moments'>> {
    return this.#ask('moments', of);
  }

  /** What the rules would delete now. Nothing is touched. */
  retention(rules: RetentionRules): Answer<RetentionPreview> {
    return this.#ask('retention', rules, Date.now());
  }

  /**
   * Deletes finished transcripts for good. That they are to be deleted is in the audit log before the first one is: what
   * cannot be recorded is not deleted. Fails with transcript-unknown, transcript-running, transcripts-unavailable.
   */
  async remove(ids: readonly string[]): Answer<{ deleted: number; bytes: number }> {
    const described = await this.#ask('describe', ids);
    if (!described.ok) return described;
    const running = await this.#keeper.call('runningOf', ids).catch(() => [...ids]);
    if (running.length > 0) {
      const text = `${running.length} of them ${running.length === 1 ? 'is' : 'are'} still being recorded.`;
      return fail(taggedError('transcript-running', text, { ids: running.slice(0, LOGGED_AT_ONCE) }));
    }
    try {
      await this.#record('transcripts.deletion-ordered', described.value);
    } catch (error) {
      return fail(
        unavailable(`Nothing was deleted: that could not be recorded (${(error as Error).message}).`),
      );
    }
    try {
      await this.#keeper.call('remove', ids);
    } catch (error) {
      await this.#record('transcripts.deletion-failed', described.value).catch(() => {});
      return fail(unavailable(`Not everything could be deleted: ${(error as Error).message}`));
    }
    const bytes = described.value.reduce((sum, transcript) => sum + transcript.bytes, 0);
    return ok({ deleted: described.value.length, bytes });
  }

  async close(): Promise<void> {
    if (this.#startTimer !== null) clearTimeout(this.#startTimer);
    await Promise.all([this.#keeper.close(), this.#reader.close()]);
    this.#events.clear();
  }

  #start(): Promise<void> {
    this.#started ??= this.#keeper.call('ensure').then(
      () => {},
      () => {},
    );
    this.#tellGrowth();
    return this.#started;
  }

  #tellGrowth(): void {
    // Where that fails the next look at the folder finds it.
    for (const growth of this.#grown.values()) this.#keeper.call('grew', growth).catch(() => {});
    this.#grown.clear();
  }

  async #record(event: string, transcripts: readonly Described[]): Promise<void> {
    for (let at = 0; at < transcripts.length; at += LOGGED_AT_ONCE) {
      const part = transcripts.slice(at, at + LOGGED_AT_ONCE);
      const listed = part.map(({ id, bytes, startedAt }) => ({ id, bytes, started_at: startedAt }));
      await this.#options.log.append({ event, sessionId: null, data: { transcripts: listed } });
    }
  }

  async #ask<Name extends keyof ReaderCalls>(
    name: Name,
    ...args: Parameters<ReaderCalls[Name]>
  ): Answer<Read<Name>> {
    // The keeper follows what is there from the first question on.
    await this.#start();
    let problem = 'It does not answer.';
    for (const isLast of [false, true]) {
      try {
        const value: unknown = await this.#reader.call(name, ...(args as never));
        return value === null ? fail(UNKNOWN) : ok(value as Read<Name>);
      } catch (error) {
        problem = (error as Error).message;
        const kind = error instanceof ThreadFailure ? error.kind : 'other';
        if (isLast || kind === 'other') break;
        if (kind === 'damaged') await this.#keeper.call('rebuild').catch(() => {});
        const why = await this.#keeper.call('ensure').catch(() => null);
        if (why === null) continue;
        problem = why;
        break;
      }
    }
    return fail(unavailable(`The transcripts cannot be read now: ${problem}`));
  }
}

const UNKNOWN = taggedError('transcript-unknown', 'There is no such transcript.');

function unavailable(message: string): TaggedError {
  return taggedError('transcripts-unavailable', message);
}

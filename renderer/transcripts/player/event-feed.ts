import type { TaggedError } from '../../../shared/protocol/errors.ts';
import { READ_MAX_BYTES } from '../../../shared/transcripts/limits.ts';
import type { ReplayEvent } from '../../../shared/transcripts/transcript.ts';
import type { TranscriptsApi } from '../transcripts-api.ts';

/** Answers of `transcripts.read` that are held and not shown yet: 1 MiB, less than a second of a flood at full speed. */
export const READ_AHEAD_PAGES = Math.ceil((1024 * 1024) / READ_MAX_BYTES);

/** What comes next: an event, nothing yet, nothing any more, or why it cannot be known. */
export type Next =
  | { readonly kind: 'event'; readonly event: ReplayEvent }
  | { readonly kind: 'loading' }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly error: TaggedError };

/** The events of a transcript from a place on, in order, read a bounded way ahead of what is taken. */
export class EventFeed {
  readonly #api: TranscriptsApi;
  readonly #id: string;
  readonly #onChange: () => void;
  #pages: ReplayEvent[][] = [];
  /** Place of the first event in the first page that was not taken. */
  #taken = 0;
  /** Where it reads on; null at what seems to be the end. */
  #position: number | null = 0;
  /** Behind the last answer. */
  #end: number | null = null;
  #error: TaggedError | null = null;
  #generation = 0;
  #reading = false;
  /** The transcript has grown since it was asked for what is on its way. */
  #outdated = false;

  /** `onChange`: what comes next may be another thing than before. */
  constructor(api: TranscriptsApi, id: string, onChange: () => void) {
    this.#api = api;
    this.#id = id;
    this.#onChange = onChange;
  }

  /** Forgets what it holds and reads from `position`. */
  start(position: number): void {
    this.#generation += 1;
    this.#pages = [];
    this.#taken = 0;
    this.#position = position;
    this.#end = null;
    this.#error = null;
    this.#reading = false;
    this.#outdated = false;
    this.#fill();
  }

  get next(): Next {
    const event = this.#pages[0]?.[this.#taken];
    if (event !== undefined) return { kind: 'event', event };
    if (this.#error !== null) return { kind: 'failed', error: this.#error };
    return this.#position === null ? { kind: 'end' } : { kind: 'loading' };
  }

  /** Whether every event up to `ms` is here already. */
  reaches(ms: number): boolean {
    if (this.#position === null && this.#error === null) return true;
    const last = this.#pages.at(-1)?.at(-1);
    return last !== undefined && last.atMs > ms;
  }

  /** The transcript has grown: what seemed to be its end is none, and is read on from. */
  grown(): void {
    if (this.#reading) this.#outdated = true;
    else if (this.#position === null) this.#readOn();
  }

  /** The first event in memory that is `wanted`; what was taken is not. */
  find(wanted: (event: ReplayEvent) => boolean): ReplayEvent | undefined {
    const [first = [], ...others] = this.#pages;
    return [first.slice(this.#taken), ...others].flat().find(wanted);
  }

  /** The next event, which is then no longer there. */
  take(): ReplayEvent | null {
    const { next } = this;
    if (next.kind !== 'event') return null;
    this.#taken += 1;
    if (this.#taken === this.#pages[0]?.length) {
      this.#pages.shift();
      this.#taken = 0;
      this.#fill();
    }
    return next.event;
  }

  /** Nothing is read any more, and `onChange` is not called again. */
  stop(): void {
    this.#generation += 1;
    this.#position = null;
    this.#end = null;
    this.#pages = [];
  }

  #readOn(): void {
    this.#outdated = false;
    this.#position = this.#end;
    this.#fill();
  }

  #fill(): void {
    if (this.#reading || this.#position === null || this.#error !== null) return;
    if (this.#pages.length < READ_AHEAD_PAGES) void this.#read(this.#position);
  }

  async #read(position: number): Promise<void> {
    const generation = this.#generation;
    this.#reading = true;
    const answer = await this.#api.request('transcripts.read', { id: this.#id, position });
    if (generation !== this.#generation) return;
    this.#reading = false;
    if (!answer.ok) this.#error = answer.error;
    else {
      const { events, next, end } = answer.value;
      if (events.length > 0) this.#pages.push(events);
      // A host that does not move on would be asked for ever.
      this.#position = next !== null && next > position ? next : null;
      this.#end = end;
    }
    if (this.#position === null && this.#outdated) this.#readOn();
    else this.#fill();
    this.#onChange();
  }
}

import type { Disposable } from '../../../../shared/disposable.ts';
import type { TerminalSize } from '../../../../shared/terminal/size.ts';
import { MARKERS_INDEXED_MAX, SNAPSHOT_EVERY_BYTES } from '../../../../shared/transcripts/limits.ts';
import type { CastEvent } from '../../cast/events.ts';
import { readSegments } from '../../cast/reader.ts';
import { bytesOf, segmentsOf } from '../../cast/segments.ts';
import { snapshotOf } from '../terminal/snapshot.ts';
import { FinalText } from '../text/final-text.ts';
import type { FinalLine } from '../text/logical-lines.ts';
import { type EndedAs, endedAs, factsOf, INTERRUPTED, RUNNING, WITHOUT_END } from './facts.ts';
import type { IndexStore, StoredMoment, StoredSnapshot } from './index-store.ts';

/** Output that came this close together is played at once: what a person sees as one. Microseconds, UTF-16 units. */
const TOGETHER_US = 50_000;
const TOGETHER_CHARS = 1024 * 1024;
/** Units after which a snapshot that could not be made is tried again. */
const RETRY_CHARS = 32 * 1024;
/**
 * Changes of the size that are played at once, and per second of the recording: each one wraps anew what the terminal holds,
 * and a foreign file may have any number of them. Of more the latest counts.
 */
const RESIZES = { burst: 2_000, perSecond: 20 } as const;
/** Units of final lines that wait for a snapshot to be stored with. */
const UNSTORED_MAX_CHARS = 8 * 1024 * 1024;

/**
 * Indexes one recording, step by step and as it grows. What it has stored begins at a snapshot: after a crash it goes on
 * from the last one, and stores the rest again.
 */
export class TranscriptIndexer implements Disposable {
  readonly seq: number;
  /** See `Facts`. */
  readonly isWhole: boolean;
  readonly #store: IndexStore;
  readonly #folder: string;
  /** UTF-16 units of output. */
  readonly #snapshotEvery: number;
  readonly #text: FinalText;
  readonly #isImported: boolean;
  /** Each step is short. */
  #work: { readonly steps: Iterator<void>; readonly until: number } | null = null;
  /** Behind the last event that was taken. */
  #position: number;
  #lastUs: number;
  /** Lines that stay, and those since then that are final too. */
  #storedLines: number;
  #unstored: FinalLine[] = [];
  #unstoredChars = 0;
  #moments: StoredMoment[] = [];
  #markers = 0;
  #pending = '';
  #pendingFromUs = 0;
  /** What the terminal becomes before more is played; changes without output between them are one. */
  #pendingSize: TerminalSize | null = null;
  #resizes = 0;
  #sinceSnapshot = 0;
  #ended: EndedAs | null = null;
  #stopped: string | null = null;
  #damaged = 0;
  #changed = false;

  constructor(store: IndexStore, id: string, folder: string, snapshotEvery: number = SNAPSHOT_EVERY_BYTES) {
    this.#snapshotEvery = snapshotEvery;
    this.#store = store;
    this.#folder = folder;
    const { facts, bytes } = factsOf(folder);
    this.seq = store.register(id, facts, bytes);
    store.describe(this.seq, facts);
    this.isWhole = facts.whole;
    this.#isImported = facts.kind === 'imported';
    const snapshot = store.lastSnapshot(this.seq);
    store.rewind(this.seq, snapshot ?? { position: 0, lines: 0 });
    this.#position = snapshot?.position ?? 0;
    this.#lastUs = snapshot?.atUs ?? 0;
    this.#storedLines = snapshot?.lines ?? 0;
    this.#text = new FinalText(snapshot ?? { cols: facts.cols, rows: facts.rows }, (line) => {
      this.#unstored.push(line);
      this.#unstoredChars += line.text.length + 1;
    });
  }

  /**
   * Goes on until `deadline` of the steady clock, or to `until` of the recording, and stores what it has there. How far it came,
   * which is less where it was begun for less, before the recording grew; null when its time was over. Throws when files or
   * index fail; make another one then.
   */
  step(until: number, deadline: number): number | null {
    this.#work ??= { steps: this.#takeAll(until), until };
    const { steps, until: reached } = this.#work;
    while (steps.next().done !== true) if (performance.now() >= deadline) return null;
    this.#work = null;
    this.#storeRest(null, false);
    return reached;
  }

  /** Nothing follows, whether or not the recording has an end. */
  finish(): void {
    for (const _ of this.#flush());
    this.#text.finish();
    this.#storeRest(this.#isImported ? WITHOUT_END : INTERRUPTED, true);
  }

  get hasEnded(): boolean {
    return this.#ended !== null;
  }

  get position(): number {
    return this.#position;
  }

  dispose(): void {
    this.#text.dispose();
  }

  *#takeAll(until: number): Generator<void> {
    for (const event of this.#open(until)) {
      yield* this.#take(event);
      yield;
    }
    yield* this.#flush();
  }

  #open(until: number): Iterable<CastEvent> {
    const range = { from: this.#position, atUs: this.#lastUs, until };
    return readSegments(segmentsOf(this.#folder), range, (lines) => {
      this.#damaged += lines;
    });
  }

  *#take(event: CastEvent): Generator<void> {
    this.#changed = true;
    if (event.kind === 'output') yield* this.#output(event.text, event);
    else if (event.kind === 'resize') {
      if (this.#pending !== '') yield* this.#flush();
      this.#pendingSize = event.size;
    } else {
      yield* this.#flush();
      this.#other(event);
    }
    this.#position = event.end;
    this.#lastUs = event.atUs;
  }

  *#output(text: string, event: CastEvent): Generator<void> {
    if (this.#sinceSnapshot >= this.#snapshotEvery) yield* this.#trySnapshot(text);
    if (this.#pending === '') this.#pendingFromUs = event.atUs;
    this.#pending += text;
    this.#sinceSnapshot += text.length;
    if (event.atUs - this.#pendingFromUs >= TOGETHER_US || this.#pending.length >= TOGETHER_CHARS) {
      yield* this.#flush(event.atMs);
    }
  }

  *#flush(atMs = this.#lastUs / 1_000): Generator<void> {
    this.#resize(atMs);
    if (this.#pending === '') return;
    yield* this.#text.writing(this.#pending, atMs);
    this.#pending = '';
    if (this.#unstoredChars > UNSTORED_MAX_CHARS) this.#storeFinal(null);
  }

  #other(event: CastEvent): void {
    if (event.kind === 'moment') {
      const { moment } = event;
      if (moment.kind === 'marker') this.#markers += 1;
      if (moment.kind !== 'marker' || this.#markers <= MARKERS_INDEXED_MAX)
        this.#moments.push({ position: event.offset, moment });
      if (moment.kind === 'recording-stopped') this.#stopped = moment.why;
    } else this.#ended = endedAs(event) ?? this.#ended;
  }

  #resize(atMs: number, isDue = this.#resizes < RESIZES.burst + (RESIZES.perSecond * atMs) / 1_000): void {
    const size = this.#pendingSize;
    if (size === null || !isDue) return;
    this.#pendingSize = null;
    this.#resizes += 1;
    this.#text.resize(size, atMs);
  }

  /** Before an event: what it begins with must not belong to the character before. */
  *#trySnapshot(next: string): Generator<void> {
    yield* this.#flush();
    // Play that goes on from here begins with the size of here.
    this.#resize(this.#lastUs / 1_000, true);
    const { terminal, open } = this.#text;
    const first = next.charCodeAt(0);
    const separates = first < 0x7f && first !== 0x1b;
    const screen = terminal.isAfterCharacter && !separates ? null : snapshotOf(terminal);
    if (screen === null) {
      this.#sinceSnapshot -= Math.min(RETRY_CHARS, this.#snapshotEvery / 32);
      return;
    }
    this.#sinceSnapshot = 0;
    const lines = this.#storedLines + this.#unstored.length;
    const [position, atUs] = [this.#position, this.#lastUs];
    this.#storeFinal({ position, atUs, size: terminal.size, screen, lines, open });
  }

  /** What is final stays stored. */
  #storeFinal(snapshot: StoredSnapshot | null): void {
    this.#add(this.#unstored, snapshot, null, false);
    this.#storedLines += this.#unstored.length;
    this.#unstored = [];
    this.#unstoredChars = 0;
  }

  /** Everything as it is now; lines that are not sure to stay are stored once more with the next ones. */
  #storeRest(withoutEnd: EndedAs | null, complete: boolean): void {
    if (!this.#changed && withoutEnd === null) return;
    this.#changed = false;
    const screen = complete ? [] : this.#text.screenLines();
    this.#add([...this.#unstored, ...screen], null, withoutEnd, complete);
  }

  #add(
    lines: readonly FinalLine[],
    snapshot: StoredSnapshot | null,
    withoutEnd: EndedAs | null,
    complete: boolean,
  ): void {
    this.#store.add(this.seq, {
      progress: {
        indexed: this.#position,
        bytes: bytesOf(segmentsOf(this.#folder)),
        durationMs: this.#lastUs / 1_000,
        ended: this.#ended ?? withoutEnd ?? (this.isWhole ? WITHOUT_END : RUNNING),
        stopped: this.#stopped,
        damaged: this.#damaged,
        complete,
      },
      fromLine: this.#storedLines,
      lines,
      snapshot,
      moments: this.#moments,
    });
    this.#moments = [];
  }
}

import type { TaggedError } from '../../shared/protocol/errors.ts';
import { ok, type Result } from '../../shared/result.ts';
import { LIST } from '../../shared/transcripts/limits.ts';
import type { Moment } from '../../shared/transcripts/moment.ts';
import type { ListPlace, RetentionPreview } from '../../shared/transcripts/transcript.ts';
import { announce } from '../state/announcements-store.ts';
import {
  type FoundTranscripts,
  type ImportState,
  type Landing,
  NO_QUERY,
  type TranscriptQuery,
  useTranscripts,
} from '../state/transcripts-store.ts';
import { useWorkspace } from '../state/workspace-store.ts';
import { counted } from '../ui/format.ts';
import { type ImportedFile, importFile } from './exchange/read-import.ts';
import { hostFilters } from './list/filters.ts';
import { foundWords } from './list/list-words.ts';
import type { PlayerControls } from './player/player-controls.ts';
import { PAGE_TIMERS, type Timers } from './player/timers.ts';
import type { TranscriptParams, TranscriptResult, TranscriptsApi } from './transcripts-api.ts';

/** Milliseconds without a key before a search is sent: a fast typist's pause between two letters. */
const DEBOUNCE_MS = 120;
/** Milliseconds in which changes of what is kept are one question: recordings grow all the time. */
const REFRESH_MS = 1_000;
const PAGE = 50;
/** Transcripts that the host deletes by one request. */
const DELETE_MAX = 10_000;

/** Whose transcript is wanted. */
export type LinkOf = TranscriptParams<'transcripts.moments'>;

type List = TranscriptResult<'transcripts.list'>;

/** Lists, searches and deletes transcripts, and opens them at a moment. What is shown of it is in transcripts-store.ts. */
export class TranscriptsService {
  readonly api: TranscriptsApi;
  readonly #timers: Timers;
  /** What commands act on: the player that is on the screen. */
  controls: PlayerControls | null = null;
  /** Counts questions for the list: an answer to an older one is dropped. */
  #question = 0;
  #debounce: { dispose(): void } | null = null;
  #refresh: { dispose(): void } | null = null;
  /** What is kept has changed since the list was asked for that is on its way. */
  #outdated = false;
  /** Milliseconds that the last answer to `load` took. */
  #tookMs = 0;
  #importing = new AbortController();
  /** The list whose next page is on its way. */
  #continued: FoundTranscripts | null = null;

  constructor(api: TranscriptsApi, timers: Timers = PAGE_TIMERS) {
    this.api = api;
    this.#timers = timers;
  }

  /** Shows the place; `search` puts the focus into its search field. */
  show(search: boolean): void {
    useWorkspace.setState({ place: 'transcripts' });
    if (search) useTranscripts.setState(({ searchAsked }) => ({ searchAsked: searchAsked + 1 }));
  }

  /** Text is sent when a typist pauses, everything else at once. */
  look(change: Partial<TranscriptQuery>): void {
    useTranscripts.setState(({ query }) => ({ query: { ...query, ...change }, searching: true }));
    this.#debounce?.dispose();
    if (change.search === undefined) void this.load();
    else this.#debounce = this.#timers.after(DEBOUNCE_MS, () => void this.load());
  }

  lookForAll(): void {
    this.look({ ...NO_QUERY });
    this.#debounce?.dispose();
    void this.load();
  }

  /** Asks for the first page anew, and for as much more as was there. */
  async load(): Promise<void> {
    this.#debounce?.dispose();
    this.#question += 1;
    this.#outdated = false;
    const question = this.#question;
    const { query, found } = useTranscripts.getState();
    const sameQuery = found?.query === query;
    useTranscripts.setState({ searching: true });
    const beganMs = this.#timers.now();
    const answer = await this.#askAnew(query, question);
    if (question !== this.#question) return;
    this.#tookMs = this.#timers.now() - beganMs;
    if (this.#outdated) this.changed();
    if (!answer.ok) {
      useTranscripts.setState({ searching: false, error: answer.error.message });
      return;
    }
    const { kept, ...list } = answer.value;
    useTranscripts.setState({ found: { query, ...list }, kept, error: null, searching: false });
    if (!sameQuery && query.search !== '') announce(foundWords({ query, ...list }));
  }

  /** As much of the list as is shown of it, page by page: to its end where that was. One that was overtaken asks no further. */
  async #askAnew(query: TranscriptQuery, question: number): Promise<Result<List, TaggedError>> {
    const missing = (count: number) => {
      const { found } = useTranscripts.getState();
      if (found?.query !== query) return 0;
      const fewer = found.transcripts.length - count;
      return found.next === null ? Math.max(PAGE, fewer) : fewer;
    };
    let answer = await this.#page(query, Math.max(PAGE, missing(0)));
    while (answer.ok && question === this.#question) {
      const { transcripts, next } = answer.value;
      const limit = missing(transcripts.length);
      if (limit <= 0 || next === null) break;
      const page = await this.#page(query, limit, next);
      answer = page.ok ? ok(withPage(answer.value, page.value)) : page;
    }
    return answer;
  }

  #page({ filters, ...query }: TranscriptQuery, limit: number, from?: ListPlace) {
    const page = { from, limit: Math.min(LIST.pageMax, limit) };
    return this.api.request('transcripts.list', {
      ...query,
      ...page,
      filters: hostFilters(filters, Date.now()),
    });
  }

  /** The next page goes behind the list that it was asked for, and nowhere when another one has taken its place. */
  async loadMore(): Promise<void> {
    const { found } = useTranscripts.getState();
    if (found === null || found.next === null || this.#continued === found) return;
    this.#continued = found;
    const { query, next, transcripts } = found;
    const answer = await this.#page(query, PAGE, next);
    if (this.#continued === found) this.#continued = null;
    if (useTranscripts.getState().found !== found) return;
    if (this.#outdated) this.changed();
    if (!answer.ok) {
      if (transcripts.length === 0) useTranscripts.setState({ error: answer.error.message });
      return;
    }
    const list = withPage(found, answer.value);
    useTranscripts.setState({ found: list });
    const isNews = list.transcripts.length > 0 || list.next === null;
    if (transcripts.length === 0 && isNews) announce(foundWords(list));
  }

  /**
   * What is kept has changed. Asked for at most once a second, only where somebody looks, and not before what is on its way
   * is here: to look into much takes the host longer than a second. Then it rests for as long as that took.
   */
  changed(): void {
    if (useWorkspace.getState().place !== 'transcripts' || this.#refresh !== null) return;
    this.#refresh = this.#timers.after(Math.max(REFRESH_MS, this.#tookMs), () => {
      this.#refresh = null;
      if (useTranscripts.getState().searching || this.#continued !== null) this.#outdated = true;
      else void this.load();
      this.controls?.reopen();
    });
  }

  /** The host is gone, and with it whatever was on its way. */
  connectionLost(): void {
    this.#question += 1;
    this.#debounce?.dispose();
    useTranscripts.setState({ searching: false, found: null, error: null, kept: null });
  }

  open(landing: Landing): void {
    useWorkspace.setState({ place: 'transcripts' });
    useTranscripts.setState({ landing });
  }

  close(): void {
    useTranscripts.setState({ landing: null });
  }

  /** Opens the transcript of a session at its end. */
  openSession(sessionId: string): void {
    this.open({ id: sessionId, atMs: null, search: '', line: null });
  }

  /**
   * Opens the transcript where a request was decided or a file was published. Null when that is on the screen, else why
   * it cannot be.
   */
  async openMoment(of: LinkOf): Promise<string | null> {
    const answer = await this.api.request('transcripts.moments', of);
    if (!answer.ok) return answer.error.message;
    const found = momentToShow(answer.value.moments);
    if (found === null) return 'Nothing of this was recorded.';
    this.open({ id: found.transcriptId, atMs: found.moment.atMs, search: '', line: null });
    return null;
  }

  /**
   * Brings a foreign file in, one at a time, wherever the person goes meanwhile. It is opened only where they still look at
   * transcripts; a refusal stays until it is dismissed.
   */
  async import(file: ImportedFile): Promise<void> {
    const { name } = file;
    this.#importing.abort();
    this.#importing = new AbortController();
    const { signal } = this.#importing;
    const tell = (importing: ImportState) => useTranscripts.setState({ importing });
    tell({ kind: 'reading', name, share: 0 });
    const onProgress = (share: number) => tell({ kind: 'reading', name, share });
    const end = await importFile(this.api, file, onProgress, () => signal.aborted);
    if (end.kind === 'cancelled') return;
    tell(end.kind === 'refused' ? { kind: 'refused', name, why: end.why } : { kind: 'none' });
    const isLookedAt = useWorkspace.getState().place === 'transcripts';
    if (!isLookedAt) announce(`${name} was ${end.kind === 'imported' ? '' : 'not '}imported.`);
    if (end.kind === 'refused') return;
    void this.load();
    if (isLookedAt) this.openSession(end.transcript.id);
  }

  /** Ends an import, or dismisses why one was refused. */
  endImport(): void {
    this.#importing.abort();
    useTranscripts.setState({ importing: { kind: 'none' } });
  }

  async retention(): Promise<Result<RetentionPreview, TaggedError>> {
    return this.api.request('transcripts.retention', {});
  }

  /** For good. Null when they are gone, else why not. */
  async remove(ids: readonly string[]): Promise<string | null> {
    let deleted = 0;
    for (let at = 0; at < ids.length; at += DELETE_MAX) {
      const part = ids.slice(at, at + DELETE_MAX);
      const answer = await this.api.request('transcripts.delete', { ids: part });
      if (!answer.ok) return answer.error.message;
      deleted += answer.value.deleted;
    }
    const { landing } = useTranscripts.getState();
    if (landing !== null && ids.includes(landing.id)) this.close();
    announce(`Deleted ${counted(deleted, 'transcript')}.`);
    await this.load();
    return null;
  }
}

/** The page behind what is there; what is there already is not taken twice. */
function withPage<T extends Pick<FoundTranscripts, 'transcripts' | 'total' | 'hitCount'>>(
  list: T,
  { transcripts: others, next, indexing }: List,
): T {
  const known = new Set(list.transcripts.map(({ id }) => id));
  const transcripts = [...list.transcripts, ...others.filter(({ id }) => !known.has(id))];
  const hitCount = transcripts.reduce((sum, found) => sum + found.hitCount, 0);
  return {
    ...list,
    transcripts,
    // Not everything could be counted with the first page.
    total: Math.max(list.total, transcripts.length),
    hitCount: Math.max(list.hitCount, hitCount),
    next,
    indexing,
  };
}

/** Of a request its decision, of a publication its end: the last of them is what came of it. */
function momentToShow(
  moments: readonly { readonly transcriptId: string; readonly moment: Moment }[],
): { readonly transcriptId: string; readonly moment: Moment } | null {
  return moments.at(-1) ?? null;
}

import type { Disposable } from '../../../shared/disposable.ts';
import type { ExportProgress } from '../../../shared/protocol/transcript-requests.ts';
import type { ExportReport } from '../../../shared/transcripts/transcript.ts';
import type { Timers } from '../player/timers.ts';
import type { TranscriptParams, TranscriptsApi } from '../transcripts-api.ts';

/** Milliseconds after which a person wants to know how far it is, and between two questions for that. */
const PATIENCE_MS = 1_000;
const ASK_EVERY_MS = 250;

export type ExportWish = Omit<TranscriptParams<'transcripts.export'>, 'exportId'>;

export type MakingEnd =
  | { readonly kind: 'made'; readonly report: ExportReport }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'cancelled' };

/** One export while the host makes it. `dispose` cancels it there, unless it is made already. */
export class ExportMaking implements Disposable {
  /** Never rejects. */
  readonly end: Promise<MakingEnd>;
  readonly #api: TranscriptsApi;
  readonly #timers: Timers;
  readonly #onProgress: (progress: ExportProgress) => void;
  readonly #exportId = crypto.randomUUID();
  #state: 'making' | 'cancelled' | 'ended' = 'making';
  #alarm: Disposable;

  /** `onProgress` is told from the first second on. */
  constructor(
    api: TranscriptsApi,
    wish: ExportWish,
    timers: Timers,
    onProgress: (progress: ExportProgress) => void,
  ) {
    this.#api = api;
    this.#timers = timers;
    this.#onProgress = onProgress;
    this.#alarm = timers.after(PATIENCE_MS, () => void this.#ask());
    this.end = this.#make(wish);
  }

  dispose(): void {
    if (this.#state !== 'making') return;
    this.#state = 'cancelled';
    this.#alarm.dispose();
    void this.#api.request('transcripts.cancel', { exportId: this.#exportId });
  }

  async #make(wish: ExportWish): Promise<MakingEnd> {
    const answer = await this.#api.request('transcripts.export', { ...wish, exportId: this.#exportId });
    this.#alarm.dispose();
    if (this.#state === 'cancelled') return { kind: 'cancelled' };
    this.#state = 'ended';
    return answer.ok ? { kind: 'made', report: answer.value } : { kind: 'failed', why: answer.error.message };
  }

  /** Where the host does not know, the answer to the export is on its way. */
  async #ask(): Promise<void> {
    const answer = await this.#api.request('transcripts.progress', { exportId: this.#exportId });
    if (this.#state !== 'making' || !answer.ok) return;
    this.#onProgress(answer.value);
    this.#alarm = this.#timers.after(ASK_EVERY_MS, () => void this.#ask());
  }
}

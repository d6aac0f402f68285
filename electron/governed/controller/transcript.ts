import { GOVERNED_TRANSCRIPT } from '../../../shared/governed/limits.ts';
import type { Clock } from './clock.ts';

/** T1. `PolicyDenied` is never written here: refused calls do not reach a session (T2). */
export interface TranscriptEntry {
  /** Unix milliseconds. */
  readonly timestamp_ms: number;
  readonly direction: 'Command' | 'Response' | 'PolicyDenied' | 'System';
  readonly content: string;
  readonly command_name: string | null;
  readonly duration_ms: null;
}

/** What one session was told and said, in order. Nothing is dropped or shortened: full means over (T3). */
export class Transcript {
  readonly #clock: Clock;
  readonly #entries: TranscriptEntry[] = [];
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get entries(): readonly TranscriptEntry[] {
    return this.#entries;
  }

  /** Bytes that the entries cost so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** False when the entry does not fit: then nothing was added. */
  add(direction: TranscriptEntry['direction'], content: string, command: string | null = null): boolean {
    const cost = Buffer.byteLength(content) + GOVERNED_TRANSCRIPT.entryCost;
    if (this.#bytes + cost > GOVERNED_TRANSCRIPT.maxBytes) return false;
    this.#bytes += cost;
    this.#entries.push({
      timestamp_ms: this.#clock.wall(),
      direction,
      content,
      command_name: command,
      duration_ms: null,
    });
    return true;
  }
}

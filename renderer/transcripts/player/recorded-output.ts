import type { ReplayEvent } from '../../../shared/transcripts/transcript.ts';
import { OutputDecoder } from '../../terminal/output-decoder.ts';
import { bytesOfBase64 } from '../base64.ts';

export type OutputEvent = Extract<ReplayEvent, { kind: 'output' | 'output-bytes' }>;

const encoder = new TextEncoder();

/**
 * Recorded output as a terminal may have it: one decoder goes over all of it in order, as over a live session's, so that
 * bytes which are no UTF-8 and characters that were cut look as they did (B02). Events are gathered into few writes.
 */
export class RecordedOutput {
  readonly #decoder = new OutputDecoder();
  readonly #ready: (Uint8Array | string)[] = [];
  #text = '';

  add(event: OutputEvent): void {
    if (event.kind === 'output') this.#text += event.text;
    else {
      this.#endText();
      this.#ready.push(this.#decoder.take(bytesOfBase64(event.base64)));
    }
  }

  /** Everything that was added since the last call, in order. */
  take(): (Uint8Array | string)[] {
    this.#endText();
    return this.#ready.splice(0);
  }

  #endText(): void {
    if (this.#text === '') return;
    this.#ready.push(this.#decoder.take(encoder.encode(this.#text)));
    this.#text = '';
  }
}

export function isOutput(event: ReplayEvent): event is OutputEvent {
  return event.kind === 'output' || event.kind === 'output-bytes';
}

/** How much there is of it: characters, or of base64 about the bytes. */
export function sizeOf(event: OutputEvent): number {
  return event.kind === 'output' ? event.text.length : event.base64.length;
}

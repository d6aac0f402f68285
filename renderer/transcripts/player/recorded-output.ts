import type { ReplayEvent } from '../../../shared/transcripts/transcript.ts';
import { OutputDecoder } from '../../terminal/output-decoder.ts';
import { bytesOfBase64 } from '../base64.ts';

export type OutputEvent = Extract<ReplayEvent, { kind: 'output' | 'output-bytes' }>;

const encoder = new TextEncoder();

/**
 * Recorded output as a terminal may have it: one decoder goes over all of it in order, as over a live session's, so that
 * bytes which are no UTF-8 and characters that were cut look as they did (B02).
 */
export class RecordedOutput {
  readonly #decoder = new OutputDecoder();

  take(event: OutputEvent): Uint8Array | string {
    const bytes = event.kind === 'output' ? encoder.encode(event.text) : bytesOfBase64(event.base64);
    return this.#decoder.take(bytes);
  }
}

export function isOutput(event: ReplayEvent): event is OutputEvent {
  return event.kind === 'output' || event.kind === 'output-bytes';
}

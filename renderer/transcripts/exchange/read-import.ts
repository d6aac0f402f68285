import { IMPORT_MAX_BYTES, PIECE_MAX_BYTES } from '../../../shared/transcripts/limits.ts';
import type { TranscriptSummary } from '../../../shared/transcripts/transcript.ts';
import { formatBytes } from '../../ui/format.ts';
import { base64OfBytes } from '../base64.ts';
import type { TranscriptsApi } from '../transcripts-api.ts';

/** The part of a `File` that an import reads. */
export interface ImportedFile {
  readonly name: string;
  readonly size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

export type ImportEnd =
  | { readonly kind: 'imported'; readonly transcript: TranscriptSummary }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'cancelled' };

/**
 * Sends a file to the host piece by piece. `onProgress` gets the share that was sent, 0 to 1. What was cancelled tells
 * nothing more; after the last piece the host may have made the transcript all the same.
 */
export async function importFile(
  api: TranscriptsApi,
  file: ImportedFile,
  onProgress: (share: number) => void,
  isCancelled: () => boolean,
): Promise<ImportEnd> {
  if (file.size === 0) return { kind: 'refused', why: 'The file is empty.' };
  if (file.size > IMPORT_MAX_BYTES) {
    return {
      kind: 'refused',
      why: `The file has ${formatBytes(file.size)}; at most ${formatBytes(IMPORT_MAX_BYTES)} can be imported.`,
    };
  }
  const importId = crypto.randomUUID();
  for (let offset = 0; offset < file.size; offset += PIECE_MAX_BYTES) {
    const end = Math.min(file.size, offset + PIECE_MAX_BYTES);
    const piece = await file
      .slice(offset, end)
      .arrayBuffer()
      .catch(() => null);
    if (isCancelled()) return { kind: 'cancelled' };
    if (piece === null)
      return { kind: 'refused', why: 'The file could not be read any further. Was it changed or removed?' };
    const answer = await api.request('transcripts.import', {
      importId,
      fileName: file.name.slice(-255),
      offset,
      base64: base64OfBytes(new Uint8Array(piece)),
      last: end === file.size,
    });
    if (isCancelled()) return { kind: 'cancelled' };
    if (!answer.ok) return { kind: 'refused', why: answer.error.message };
    if (answer.value.transcript !== null) return { kind: 'imported', transcript: answer.value.transcript };
    onProgress(end / file.size);
  }
  return { kind: 'refused', why: 'The host took the file and made no transcript of it.' };
}

import { type Disposable, toDisposable } from '../../../shared/disposable.ts';
import type { ExportReport } from '../../../shared/transcripts/transcript.ts';
import { bytesOfBase64 } from '../base64.ts';
import type { Timers } from '../player/timers.ts';
import type { TranscriptsApi } from '../transcripts-api.ts';

export type DownloadEnd =
  | { readonly kind: 'complete'; readonly pieces: readonly Uint8Array<ArrayBuffer>[] }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'cancelled' };

/** Reads an export piece by piece. `onProgress` gets the share that is here, 0 to 1. */
export async function readExport(
  api: TranscriptsApi,
  { exportId, bytes }: Pick<ExportReport, 'exportId' | 'bytes'>,
  onProgress: (share: number) => void,
  isCancelled: () => boolean,
): Promise<DownloadEnd> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (;;) {
    if (isCancelled()) return { kind: 'cancelled' };
    const answer = await api.request('transcripts.piece', { exportId, offset });
    if (!answer.ok) return { kind: 'failed', why: answer.error.message };
    const piece = bytesOfBase64(answer.value.base64);
    if (piece.length === 0) break;
    pieces.push(piece);
    offset += piece.length;
    onProgress(bytes === 0 ? 1 : Math.min(1, offset / bytes));
  }
  if (offset === bytes) return { kind: 'complete', pieces };
  return { kind: 'failed', why: `${offset} of ${bytes} bytes came. Export it once more.` };
}

/** Milliseconds between two signs that an export is still wanted; the host keeps it for longer without one. */
const HOLD_EVERY_MS = 60_000;

/** Has the host keep an export that a person looks at, until it is disposed of. */
export function holdExport(
  api: TranscriptsApi,
  { exportId, bytes }: Pick<ExportReport, 'exportId' | 'bytes'>,
  timers: Timers,
): Disposable {
  const hold = () => {
    // The piece behind the end is empty.
    void api.request('transcripts.piece', { exportId, offset: bytes });
    alarm = timers.after(HOLD_EVERY_MS, hold);
  };
  let alarm = timers.after(HOLD_EVERY_MS, hold);
  return toDisposable(() => alarm.dispose());
}

/** Hands a file to the browser, which puts it where downloads go or asks. */
export function saveFile(name: string, pieces: readonly Uint8Array<ArrayBuffer>[]): void {
  const url = URL.createObjectURL(new Blob([...pieces], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the blob after the click; a minute is more than it takes to ask for a place.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

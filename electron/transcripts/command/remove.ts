import { visibleLine } from '../../../shared/terminal/visible-text.ts';
import { SignedAuditLog } from '../../audit/audit-log.ts';
import { TranscriptLibrary } from '../library/library.ts';
import { TranscriptsError } from './outcome.ts';
import { transcriptsFolder } from './with-catalogue.ts';

/**
 * Deletes transcripts for good, which the audit log records first. One process writes that log: while Airlock runs on this
 * data folder, deleting is its own, and `place` says where it is done there. Throws TranscriptsError.
 */
export async function removeTranscripts(
  dataDir: string,
  ids: readonly string[],
  place: string,
): Promise<void> {
  const log = await SignedAuditLog.open(dataDir).catch((error: Error) => {
    throw new TranscriptsError(
      `Nothing was deleted: that could not be recorded (${error.message}). While Airlock runs, delete ${place}.`,
    );
  });
  const library = new TranscriptLibrary({
    folder: transcriptsFolder(dataDir),
    log,
    fault: (message) => console.error(`error: ${visibleLine(message, 500)}`),
  });
  // The library's threads let a process end while they work.
  const awake = setInterval(() => {}, 2 ** 30);
  try {
    const removed = await library.remove(ids);
    if (!removed.ok) throw new TranscriptsError(removed.error.message);
  } finally {
    clearInterval(awake);
    await library.close();
    await log.close();
  }
}

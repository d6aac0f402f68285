import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Recorded,
  type RecordingOptions,
  recordingText,
} from '../../electron/transcripts/library/testing/recordings.ts';

/** Puts a recording into a data folder, as a host that is gone left it: for what would take a session too long to make. */
export async function putRecording(
  dataDir: string,
  id: string,
  events: readonly Recorded[],
  options: RecordingOptions = {},
): Promise<void> {
  const folder = join(dataDir, 'transcripts', id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, '0001.cast'), recordingText(id, events, options), { mode: 0o600 });
}

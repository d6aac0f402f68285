/** The recorder's thread: encodes and writes what the host's sessions say, so that no session waits for a disk. */
import { parentPort } from 'node:worker_threads';
import type { FromRecorder, ToRecorder } from './messages.ts';
import { RecordingFile } from './recording-file.ts';

const files = new Map<string, RecordingFile>();

parentPort?.on('message', (message: ToRecorder) => {
  const file = fileOf(message);
  if (file === undefined) return;
  if (message.kind === 'batch') file.take(message.events, message.bytes);
  if (file.ended) files.delete(message.id);
  const { written, stopped, ended } = file;
  parentPort?.postMessage({ id: message.id, written, stopped, ended } satisfies FromRecorder);
});

function fileOf(message: ToRecorder): RecordingFile | undefined {
  if (message.kind === 'start') files.set(message.id, new RecordingFile(message.plan));
  return files.get(message.id);
}

import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FromRecorder, ToRecorder } from './messages.ts';

/** The way to what writes. */
export interface RecorderThread {
  /** `message.bytes` of a batch is the thread's afterwards. */
  post(message: ToRecorder): void;
  /** Resolves when it is gone. What it has not written is lost. */
  stop(): Promise<void>;
}

export interface RecorderThreadEvents {
  answered(answer: FromRecorder): void;
  /** It is gone without having been told to; nothing more is answered. Told once. */
  died(reason: string): void;
}

export type StartThread = (events: RecorderThreadEvents) => RecorderThread;

/** From the sources beside this file, or beside the bundle that it is in. */
const ENTRY = join(
  import.meta.dirname,
  basename(import.meta.filename).endsWith('.ts') ? 'worker.ts' : 'recorder.js',
);

/** Does not keep the host alive. */
export const startThread: StartThread = ({ answered, died }) => {
  const worker = new Worker(ENTRY, { name: 'recorder', execArgv: [] });
  let isOver = false;
  const gone = (reason: string) => {
    if (isOver) return;
    isOver = true;
    died(reason);
  };
  worker.on('message', (answer) => {
    if (!isOver) answered(answer);
  });
  // An error is followed by the exit.
  worker.on('error', (error) => gone(error.message));
  worker.on('exit', (code) => gone(`it ended with status ${code}`));
  worker.unref();
  return {
    post(message) {
      worker.postMessage(message, message.kind === 'batch' ? [message.bytes.buffer as ArrayBuffer] : []);
    },
    async stop() {
      isOver = true;
      await worker.terminate();
    },
  };
};

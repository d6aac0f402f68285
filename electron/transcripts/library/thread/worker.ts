/** The threads of the library: one writes the index, one reads it. Which of them this is says `workerData`. */
import { parentPort, workerData } from 'node:worker_threads';
import { LIBRARY_CHANGED_MS } from '../../../../shared/transcripts/limits.ts';
import { IndexKeeper } from '../index/index-keeper.ts';
import type { Call, FromThread, KeeperCalls, ThreadData } from './calls.ts';
import { giveWay } from './give-way.ts';
import { failureOf, Reading } from './reading.ts';

const { role, folder } = workerData as ThreadData;
if (parentPort === null) throw new Error('This is a worker thread.');
const port = parentPort;

function post(message: FromThread): void {
  port.postMessage(message);
}

let telling: NodeJS.Timeout | null = null;

function changed(): void {
  if (telling !== null) return;
  telling = setTimeout(() => {
    telling = null;
    post({ kind: 'changed' });
  }, LIBRARY_CHANGED_MS);
}

function keeperCalls(): () => KeeperCalls {
  giveWay();
  const report = (fault: unknown) =>
    post({ kind: 'fault', message: String((fault as Error).stack ?? fault) });
  const keeper = new IndexKeeper({ folder, changed, report });
  return () => keeper;
}

const reading = role === 'reader' ? new Reading(folder) : null;
const callsNow = reading === null ? keeperCalls() : () => reading.calls;

port.on('message', ({ n, name, args }: Call) => {
  try {
    // The host's side is typed; a name that is not there fails the call.
    const calls = callsNow() as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
    post({ kind: 'answer', n, value: calls[name]?.(...args) });
  } catch (error) {
    reading?.close();
    post({ kind: 'failure', n, failure: failureOf(error) });
  }
});

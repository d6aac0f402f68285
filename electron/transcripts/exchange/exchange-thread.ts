import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ExportProgress } from '../../../shared/protocol/transcript-requests.ts';
import type { Result } from '../../../shared/result.ts';
import { EXCHANGE } from '../../../shared/transcripts/limits.ts';
import type { TranscriptSummary } from '../../../shared/transcripts/transcript.ts';
import type { ExportPlan, MadeExport } from './export/make-export.ts';
import { IMPORTING, type ImportPlan } from './import/make-import.ts';
import type { ExchangeAnswer, ExchangeJob } from './messages.ts';

/** From the sources beside this file, or beside the bundle that it is in. */
const ENTRY = join(
  import.meta.dirname,
  basename(import.meta.filename).endsWith('.ts') ? 'worker.ts' : 'exchange.js',
);

/**
 * Rejects when files cannot be read or written, when it needs too much memory, and when it is stopped; the thread has ended
 * then, and its file is gone.
 */
export async function exportInThread(
  plan: ExportPlan,
  stop: AbortSignal,
  onProgress: (progress: ExportProgress) => void = () => {},
): Promise<Result<MadeExport, string>> {
  const answer = await runInThread({ kind: 'export', plan }, stop, onProgress).catch(async (error) => {
    await rm(plan.path, { force: true });
    throw error;
  });
  if (answer.kind !== 'export') throw new Error('The thread answered something else.');
  return answer.result;
}

/** Rejects as `exportInThread` does; what has come of the transcript is gone then. */
export async function importInThread(
  plan: ImportPlan,
  stop: AbortSignal,
): Promise<Result<TranscriptSummary, string>> {
  const answer = await runInThread({ kind: 'import', plan }, stop).catch(async (error) => {
    await rm(join(plan.folder, IMPORTING + plan.id), { recursive: true, force: true });
    throw error;
  });
  if (answer.kind !== 'import') throw new Error('The thread answered something else.');
  return answer.result;
}

/** A thread of its own, so that what a search takes in memory goes with it. Does not keep the host alive. */
function runInThread(
  job: ExchangeJob,
  stop: AbortSignal,
  onProgress: (progress: ExportProgress) => void = () => {},
): Promise<ExchangeAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ExchangeAnswer>();
  const worker = new Worker(ENTRY, {
    name: 'exchange',
    execArgv: [],
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: EXCHANGE.memoryMiB },
  });
  worker.unref();
  const terminate = () => void worker.terminate();
  stop.addEventListener('abort', terminate, { once: true });
  let failure = new Error('It was stopped.');
  worker.on('message', (answer: ExchangeAnswer) => {
    if (answer.kind === 'progress') onProgress(answer.progress);
    else resolve(answer);
  });
  worker.once('error', (error: NodeJS.ErrnoException) => {
    failure = inWords(error, job.kind);
  });
  worker.once('exit', () => {
    stop.removeEventListener('abort', terminate);
    reject(failure);
  });
  if (stop.aborted) terminate();
  return promise;
}

function inWords(error: NodeJS.ErrnoException, kind: ExchangeJob['kind']): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  const cause = kind === 'export' ? ' Does a pattern match nearly everything?' : '';
  return new Error(`It takes more memory than allowed.${cause}`);
}

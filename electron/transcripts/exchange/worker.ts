/** A thread for one export or import: it reads and searches a whole recording, which no session should wait for. */
import { parentPort, workerData } from 'node:worker_threads';
import { makeExport } from './export/make-export.ts';
import { makeImport } from './import/make-import.ts';
import type { ExchangeAnswer, ExchangeJob } from './messages.ts';

async function run(job: ExchangeJob): Promise<ExchangeAnswer> {
  if (job.kind === 'import') return { kind: 'import', result: await makeImport(job.plan) };
  const result = await makeExport(job.plan, (progress) => post({ kind: 'progress', progress }));
  return { kind: 'export', result };
}

function post(answer: ExchangeAnswer): void {
  parentPort?.postMessage(answer);
}

post(await run(workerData));

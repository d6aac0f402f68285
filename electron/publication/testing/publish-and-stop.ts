/**
 * Publishes one file and stops at a step, for a test that kills it there:
 * `node publish-and-stop.ts DATA_DIR PROJECT STEP governed|shell`. Prints the step when it is reached.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignedAuditLog } from '../../audit/audit-log.ts';
import { CheckedFileGrants } from '../file-grants.ts';
import { PublicationStore } from '../publication-store.ts';
import { approvedFile, approvedOutput, filesystemOf, outputOf } from './workbench.ts';

const [dataDir, project, stopAt, kind] = process.argv.slice(2) as [string, string, string, string];

const audit = await SignedAuditLog.open(dataDir);
const store = await PublicationStore.open({
  dataDir,
  audit,
  onStep: (step) => (step === stopAt ? stop() : undefined),
});

if (kind === 'shell') {
  const sealed = await store.sealFromShell({
    sessionId: 'shell-1',
    outFolder: { path: join(project, 'out'), isStillThere: () => true },
    path: 'result',
  });
  const destination = join(project, 'data/report.csv');
  await store.publishSealed(sealed, destination, await approvedFile(audit, sealed, destination));
} else {
  const grants = new CheckedFileGrants(store);
  const plan = await grants.prepare(filesystemOf({ create: 'data/report.csv' }), {}, project);
  const staging = await plan.stage();
  writeFileSync(outputOf(staging), 'a,1\n');
  if (stopAt === 'staged') await stop();
  await staging.publish(await approvedOutput(audit, 'data/report.csv', join(project, 'data/report.csv')));
}
await stop();

function stop(): Promise<never> {
  console.log(stopAt);
  setInterval(() => {}, 2 ** 30);
  return new Promise(() => {});
}

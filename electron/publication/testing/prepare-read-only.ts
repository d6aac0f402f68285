/** Prints how an output in a folder that this process may not write is answered; for a test that starts it as a user. */
import { chmodSync, mkdirSync } from 'node:fs';
import { Workbench } from './workbench.ts';

const bench = await new Workbench().start();
mkdirSync(bench.path('locked'), { mode: 0o555 });
const answer = await bench.prepare({ create: 'locked/out' }).then(
  () => 'prepared',
  (error) => `${error.rule} ${error.message}`,
);
console.log(answer);
chmodSync(bench.path('locked'), 0o755);
await bench.end();

/** A host that opens one machine, prints its identity as JSON, and stays until it is killed. Argument: its data folder. */
import { profileSchema } from '../../../../shared/settings/schema.ts';
import { MicrovmEngine } from '../engine.ts';

const [dataDir = ''] = process.argv.slice(2);
const profile = profileSchema.parse({
  ...{ id: 'test', name: 'Test', engine: 'microvm', command: ['/bin/sleep', '1000'] },
  ...{ limits: { memoryMiB: 160, cpuPercent: 100 }, microvm: { startupMs: 120_000 } },
});
const spec = { sessionId: 'test', profile, project: null };
const terminal = await new MicrovmEngine({ dataDir }).open(
  spec,
  { cols: 80, rows: 24 },
  new AbortController().signal,
);
terminal.onOutput(() => {});
console.log(JSON.stringify(terminal.identity));

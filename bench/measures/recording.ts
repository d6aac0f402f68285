import { type Row, row } from '../row.ts';
import { median } from '../stats.ts';
import type { Bench } from '../subjects.ts';
import { catLog } from './cat-log.ts';

const TARGET = 0.95;

/** What recording and indexing take from a flood: the same log in a shell that is recorded and in one that is not. */
export async function recording(bench: Bench, rounds: number): Promise<Row[]> {
  const recorded = await bench.openAirlock('dom');
  const unrecorded = await bench.openAirlock('dom', { record: false });
  const samples = { recorded: [] as number[], unrecorded: [] as number[] };
  // One round more than counted: the first warms the pages up. The order turns with each round.
  for (let round = 0; round <= rounds; round += 1) {
    const order = ['recorded', 'unrecorded'] as const;
    for (const name of round % 2 === 0 ? order : order.toReversed()) {
      const milliseconds = await catLog(bench, name === 'recorded' ? recorded : unrecorded);
      if (round > 0) samples[name].push(bench.log.outputBytes / 1000 / milliseconds);
    }
  }
  const [ours, without] = [median(samples.recorded), median(samples.unrecorded)];
  return [
    row('the same log, recorded ÷ not recorded', {
      airlock: (ours / without).toFixed(2),
      reference: `${without.toFixed(1)} MB/s`,
      target: `≥ ${TARGET}`,
      met: ours / without >= TARGET,
    }),
  ];
}

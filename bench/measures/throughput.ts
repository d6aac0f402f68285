import { type Row, row } from '../row.ts';
import { median } from '../stats.ts';
import type { Bench, Renderer } from '../subjects.ts';
import { catLog } from './cat-log.ts';
import { terminalSize } from './terminal-size.ts';

const TARGET = 0.95;

/** A coloured log from `cat` to parsed by xterm.js, against xterm.js alone on the same bytes and the plain pipeline. */
export async function throughput(bench: Bench, renderer: Renderer, rounds: number): Promise<Row[]> {
  const airlock = await bench.openAirlock(renderer);
  const size = await terminalSize(airlock);
  const plain = await bench.openPlain(renderer, size);
  const alone = await bench.openAlone(renderer, size);
  const samples = { airlock: [] as number[], plain: [] as number[], alone: [] as number[] };
  const runs = {
    airlock: () => catLog(bench, airlock),
    plain: () => catLog(bench, plain),
    alone: async () => {
      await alone.bringToFront();
      return alone.evaluate(() => window.parse('output.ansi'));
    },
  };
  const names = ['alone', 'airlock', 'plain'] as const;
  // One round more than counted: the first warms the pages up. The order turns with each round.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index] of names.entries()) {
      const name = names[(index + round) % names.length] as (typeof names)[number];
      const milliseconds = await runs[name]();
      if (round > 0) samples[name].push(bench.log.outputBytes / 1000 / milliseconds);
    }
  }

  const [ours, theirs, reference] = [median(samples.airlock), median(samples.plain), median(samples.alone)];
  const megabytes = Math.round(bench.log.bytes / 1e6);
  return [
    row(`cat of a ${megabytes} MB coloured log, ${renderer}`, {
      airlock: `${ours.toFixed(1)} MB/s`,
      plain: `${theirs.toFixed(1)} MB/s`,
      reference: `${reference.toFixed(1)} MB/s`,
      peers:
        renderer === 'dom'
          ? 'xterm.js alone 17–19, plain 11–13, wetty 2.6 MB/s'
          : 'xterm.js alone 24–26 MB/s',
    }),
    row('  Airlock ÷ xterm.js alone', {
      airlock: (ours / reference).toFixed(2),
      target: `≥ ${TARGET}`,
      met: ours / reference >= TARGET,
    }),
    row('  Airlock ÷ plain pipeline', { airlock: (ours / theirs).toFixed(2) }),
  ];
}

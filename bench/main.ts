/**
 * `npm run bench`: one table for one run on one machine. The runs that are compared take turns, and ratios within the
 * run decide. `--quick` takes fewer and shorter runs; `--only WORD` takes the measures whose name contains the word.
 *
 * Exits with 0 whatever the numbers say, with 1 when something could not be measured.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { SUBJECTS } from '../electron/sandbox/testing/conformance/subjects.ts';
import { echo } from './measures/echo.ts';
import { engines } from './measures/engines.ts';
import { floodGrowth } from './measures/flood-growth.ts';
import { governed } from './measures/governed.ts';
import { interrupt } from './measures/interrupt.ts';
import { openSessions } from './measures/open.ts';
import { recording } from './measures/recording.ts';
import { tails } from './measures/tails.ts';
import { throughput } from './measures/throughput.ts';
import { transcripts } from './measures/transcripts.ts';
import type { Row } from './row.ts';
import { type Bench, startBench } from './subjects.ts';
import { renderTable } from './table.ts';

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const { quick, only } = options;

/** Milliseconds for one measure; what takes longer waits for something that does not come. */
const MEASURE_MS = 600_000;

const measures: [name: string, run: (bench: Bench) => Promise<Row[]>][] = [
  ['throughput dom', (bench) => throughput(bench, 'dom', quick ? 2 : 5)],
  ['throughput webgl', (bench) => throughput(bench, 'webgl', quick ? 2 : 5)],
  ['recording', (bench) => recording(bench, quick ? 4 : 8)],
  ['interrupt dom', (bench) => interrupt(bench, 'dom', quick ? 6 : 24)],
  ['interrupt webgl', (bench) => interrupt(bench, 'webgl', quick ? 6 : 24)],
  ['echo dom', (bench) => echo(bench, 'dom', quick ? 3 : 12)],
  ['open', (bench) => openSessions(bench, 'dom', quick ? 8 : 20)],
  ['flood', (bench) => floodGrowth(bench, 'dom', quick ? 100e6 : 1e9)],
  ['engines', () => engines(quick ? 3 : 10, quick ? 10e6 : 50e6)],
  ...SUBJECTS.map(
    (subject) =>
      [`tails ${subject.name}`, () => tails(subject, quick ? 4 : 100)] as [string, () => Promise<Row[]>],
  ),
  ['governed', () => governed(quick ? 5 : 20)],
  [
    'transcripts',
    () =>
      quick
        ? transcripts(20e6, { count: 100, bytes: 100e6 })
        : transcripts(100e6, { count: 1_000, bytes: 1e9 }),
  ],
];

const rows: Row[] = [];
let failed = false;
const bench = await startBench(quick ? 10e6 : 30e6);
try {
  for (const [name, run] of measures.filter(([name]) => name.includes(only))) {
    console.error(`measuring: ${name} …`);
    try {
      rows.push(...(await withDeadline(run(bench), name)));
    } catch (error) {
      failed = true;
      console.error(`could not measure ${name}:`, error);
    } finally {
      await bench.closeAll();
    }
  }
} finally {
  await bench.close();
}
console.log(`\n${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}\n`);
console.log(renderTable(rows));
process.exitCode = failed ? 1 : 0;

async function withDeadline(rows: Promise<Row[]>, name: string): Promise<Row[]> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${name} took longer than ${MEASURE_MS} ms`)), MEASURE_MS);
  return Promise.race([rows, promise]).finally(() => clearTimeout(timer));
}

import { ConformanceBench } from '../../electron/sandbox/testing/conformance/conformance-bench.ts';
import type { Subject } from '../../electron/sandbox/testing/conformance/subject.ts';
import { wholeTails } from '../../electron/sandbox/testing/conformance/tails.ts';
import { type Row, row } from '../row.ts';

/** Whether the last output of a program arrives before its end is told, every time (ST-21): a start each, in one engine. */
export async function tails(subject: Subject, runs: number): Promise<Row[]> {
  const measure = `whole outputs, ${subject.name}`;
  const obstacle = subject.obstacle();
  if (obstacle !== null) return [row(measure, { airlock: `not run: ${obstacle}` })];
  const running = await subject.start();
  const bench = new ConformanceBench(running);
  try {
    const whole = await wholeTails(bench, runs);
    return [row(measure, { airlock: `${whole} of ${runs}`, target: 'all', met: whole === runs })];
  } finally {
    await bench.close();
    await running.stop();
  }
}

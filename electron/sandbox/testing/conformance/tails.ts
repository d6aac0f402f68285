import type { ConformanceBench } from './conformance-bench.ts';

const SCRIPT = 'i=0; while [ $i -lt 1000 ]; do echo tail of the output; i=$((i+1)); done; exit 3';
const TEXT = 'tail of the output\r\n'.repeat(1_000);

/** Runs a short program that many times, some at once, and counts those that were told whole and how they ended (ST-21). */
export async function wholeTails(bench: ConformanceBench, runs: number): Promise<number> {
  let [left, whole] = [runs, 0];
  const next = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { text, outcome } = await bench.run(SCRIPT);
      if (text === TEXT && outcome.kind === 'exited' && outcome.code === 3) whole += 1;
    }
  };
  await Promise.all(Array.from({ length: bench.subject.tails.atOnce }, next));
  return whole;
}

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GovernedBench } from './testing/governed-bench.ts';

const line = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom(
    '\x1b[?2004h',
    '> ',
    '> quoted',
    '>',
    '\x1b]0;>\x07',
    '\r\x1b[K',
    '界',
    '\x1b[31m',
    '%\r \r',
  ),
);
const output = fc.array(fc.tuple(line, fc.constantFrom('', '\r\n', '\n')), { maxLength: 10 });

async function replyTo(chunks: readonly Uint8Array[]): Promise<unknown> {
  const bench = new GovernedBench();
  bench.workers.onStarted = (worker) => worker.print('> ');
  const call = await bench.begin();
  await bench.clock.advance(20);
  for (const chunk of chunks) bench.workers.worker.print(chunk);
  await bench.clock.advance(15_000);
  return call.now();
}

it('B19 E26 however its output is cut into reads, a command gets the same reply', async () => {
  await fc.assert(
    fc.asyncProperty(
      output,
      fc.boolean(),
      fc.array(fc.nat(120), { maxLength: 8 }),
      async (lines, ends, cuts) => {
        const text = `${lines.flat().join('')}${ends ? '\x1b[0m\r\n> ' : ''}`;
        const bytes = Buffer.from(text);
        const places = [
          0,
          ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b),
          bytes.length,
        ];
        const pieces = places
          .slice(1)
          .map((end, index) => Uint8Array.from(bytes.subarray(places[index], end)));
        expect(await replyTo(pieces)).toEqual(await replyTo([bytes]));
      },
    ),
    { numRuns: 40 },
  );
}, 30_000);

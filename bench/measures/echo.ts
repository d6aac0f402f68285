import { type Row, row } from '../row.ts';
import { percentile } from '../stats.ts';
import type { Bench, Renderer, Shell } from '../subjects.ts';
import { terminalSize } from './terminal-size.ts';

const TARGET = 1.2;
/** Keys typed at one prompt before the line is cleared, fewer than a line has columns. */
const KEYS_PER_LINE = 40;

/** One key at the prompt until its echo is parsed: what is left until the screen is the next frame's, the same for all. */
export async function echo(bench: Bench, renderer: Renderer, lines: number): Promise<Row[]> {
  const airlock = await bench.openAirlock(renderer);
  const plain = await bench.openPlain(renderer, await terminalSize(airlock));
  const ours: number[] = [];
  const theirs: number[] = [];
  await typeLine(airlock);
  await typeLine(plain);
  for (let line = 0; line < lines; line += 1) {
    ours.push(...(await typeLine(airlock)));
    theirs.push(...(await typeLine(plain)));
  }
  return [0.5, 0.95].map((share) => {
    const [our, their] = [percentile(ours, share), percentile(theirs, share)];
    return row(`echo of one key, p${share * 100}, ${renderer}`, {
      airlock: `${our.toFixed(2)} ms`,
      plain: `${their.toFixed(2)} ms`,
      target: `≤ ${TARGET} × plain (${(our / their).toFixed(2)})`,
      met: our / their <= TARGET,
      peers: share === 0.5 ? 'plain 0.7, wetty 4.3 ms' : 'plain 2.4, wetty 53 ms',
    });
  });
}

async function typeLine({ page }: Shell): Promise<number[]> {
  await page.bringToFront();
  const samples: number[] = [];
  for (let key = 0; key < KEYS_PER_LINE; key += 1) {
    const echoed = page.evaluate(async () => {
      const { gauge } = window.bench;
      const parsed = await gauge.parsedAt(gauge.received + 1);
      return parsed - window.bench.lastKeyAt;
    });
    await page.keyboard.press('x');
    samples.push(await echoed);
  }
  const prompt = page.evaluate(() => window.bench.gauge.promptParsedAt());
  await page.keyboard.press('Control+c');
  await prompt;
  return samples;
}

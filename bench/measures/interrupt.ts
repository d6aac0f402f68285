import { setTimeout as delay } from 'node:timers/promises';
import { type Row, row } from '../row.ts';
import { percentile } from '../stats.ts';
import { type Bench, type Renderer, type Shell, typeCommand } from '../subjects.ts';
import { terminalSize } from './terminal-size.ts';

const TARGET_MS = 100;
/** Milliseconds of `yes` before Ctrl-C: the flood is under way, not just starting. */
const FLOOD_MS = 1_000;
/** Bytes by which it is seen to have started. */
const FLOOD_BEGUN_BYTES = 100_000;

/** Ctrl-C during `yes` until the frame with the next prompt. */
export async function interrupt(bench: Bench, renderer: Renderer, rounds: number): Promise<Row[]> {
  const airlock = await bench.openAirlock(renderer);
  const plain = await bench.openPlain(renderer, await terminalSize(airlock));
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await interruptYes(airlock));
    // The plain pipeline takes seconds each time; a third of the rounds is enough to see that.
    if (round % 3 === 0) theirs.push(await interruptYes(plain));
  }
  const lost = await plain.page.evaluate(() => window.bench.gauge.lost);
  const words = (samples: number[]) =>
    `p50 ${percentile(samples, 0.5).toFixed(0)}, p95 ${percentile(samples, 0.95).toFixed(0)} ms`;
  return [
    row(`Ctrl-C during yes to the next prompt, ${renderer}`, {
      airlock: words(ours),
      plain: words(theirs) + (lost > 0 ? `, ${(lost / 1e6).toFixed(0)} MB of output lost` : ''),
      target: `p95 < ${TARGET_MS} ms`,
      met: percentile(ours, 0.95) < TARGET_MS,
      peers: 'plain 2600–3100, wetty 200 ms (median)',
    }),
  ];
}

async function interruptYes(shell: Shell): Promise<number> {
  const { page } = shell;
  await page.bringToFront();
  await typeCommand(shell, 'yes');
  const flooding = page.evaluate((bytes) => {
    const { gauge } = window.bench;
    return gauge.parsedAt(gauge.parsed + bytes);
  }, FLOOD_BEGUN_BYTES);
  await page.keyboard.press('Enter');
  await flooding;
  await delay(FLOOD_MS);
  const shown = page.evaluate(async () => {
    const at = await window.bench.gauge.promptShownAt();
    return at - window.bench.lastKeyAt;
  });
  await page.keyboard.press('Control+c');
  return shown;
}

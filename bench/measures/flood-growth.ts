import { setTimeout as delay } from 'node:timers/promises';
import { residentBytes } from '../resident-memory.ts';
import { type Row, row } from '../row.ts';
import { type Bench, type Renderer, typeCommand } from '../subjects.ts';

const TARGET_BYTES = 50e6;
/** How often the host's memory is looked at during the flood, milliseconds. */
const SAMPLE_MS = 100;

/** The host's memory over a long coloured flood, at its highest, against before. */
export async function floodGrowth(bench: Bench, renderer: Renderer, bytes: number): Promise<Row[]> {
  const airlock = await bench.openAirlock(renderer);
  const { page, hostPid } = airlock;
  const before = residentBytes(hostPid);
  await typeCommand(airlock, `yes $'\\e[32mflood\\e[0m of \\e[1;35mcoloured\\e[0m lines' | head -c ${bytes}`);
  const state = { over: false };
  const flood = page
    .evaluate(async (count) => {
      const { gauge } = window.bench;
      return (await gauge.parsedAt(gauge.parsed + count)) - window.bench.lastKeyAt;
    }, bytes)
    .finally(() => {
      state.over = true;
    });
  await page.keyboard.press('Enter');
  let highest = before;
  while (!state.over) {
    highest = Math.max(highest, residentBytes(hostPid));
    await delay(SAMPLE_MS);
  }
  const seconds = (await flood) / 1000;
  const growth = highest - before;
  const size = bytes >= 1e9 ? `${bytes / 1e9} GB` : `${bytes / 1e6} MB`;
  return [
    row(`growth of the host over a ${size} flood`, {
      airlock: `${(growth / 1e6).toFixed(0)} MB (${seconds.toFixed(0)} s)`,
      target: `< ${TARGET_BYTES / 1e6} MB`,
      met: growth < TARGET_BYTES,
    }),
  ];
}

import type { Shell } from '../subjects.ts';

/** The size Airlock's page gave its newest terminal: the other subjects get the same. */
export async function terminalSize(airlock: Shell): Promise<{ cols: number; rows: number }> {
  const size = await airlock.page.evaluate(() => window.bench.sizes.at(-1));
  if (!size) throw new Error("Airlock's page asked for no terminal size.");
  return size;
}

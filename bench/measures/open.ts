import { residentBytes } from '../resident-memory.ts';
import { type Row, row } from '../row.ts';
import { median } from '../stats.ts';
import type { Bench, Renderer } from '../subjects.ts';

const TARGET_MS = 250;
const TARGET_BYTES = 5e6;

/** Further sessions in new tabs: key to prompt on screen, and what each costs the host. */
export async function openSessions(bench: Bench, renderer: Renderer, sessions: number): Promise<Row[]> {
  const airlock = await bench.openAirlock(renderer);
  const { page, hostPid } = airlock;
  const times: number[] = [];
  const resident = [residentBytes(hostPid)];
  for (let session = 0; session < sessions; session += 1) {
    const opened = page.evaluate(() => window.bench.nextTerminalPromptShownAt());
    await page.keyboard.press('Alt+Shift+T');
    const at = await opened;
    times.push(at - (await page.evaluate(() => window.bench.lastKeyAt)));
    resident.push(residentBytes(hostPid));
  }
  const perSession = ((resident.at(-1) ?? Number.NaN) - (resident[0] ?? Number.NaN)) / sessions;
  return [
    row('open a shell to its first prompt, median', {
      airlock: `${median(times).toFixed(0)} ms`,
      target: `< ${TARGET_MS} ms`,
      met: median(times) < TARGET_MS,
    }),
    row(`resident memory per further session, of ${sessions}`, {
      airlock: `${(perSession / 1e6).toFixed(1)} MB`,
      target: `< ${TARGET_BYTES / 1e6} MB`,
      met: perSession < TARGET_BYTES,
    }),
  ];
}

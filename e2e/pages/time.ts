import type { Page } from '@playwright/test';

/** Time stands still for the page's own code, timers included, until the answer is called: then so many milliseconds have passed. */
export async function holdTime(page: Page): Promise<(ms: number) => Promise<void>> {
  await page.evaluate(() => {
    const { setTimeout: later, clearTimeout: never } = window;
    const heldAt = performance.now();
    const timers = new Map<number, [run: () => void, ms: number]>();
    performance.now = () => heldAt;
    const hold = (run: () => void, ms = 0) => {
      timers.set(-timers.size - 1, [run, ms]);
      return -timers.size;
    };
    const drop = (id?: number) => (timers.has(id ?? 0) ? timers.set(id ?? 0, [() => {}, 0]) : never(id));
    const pass = (passed: number) => {
      const realAt = Performance.prototype.now.call(performance);
      performance.now = () => heldAt + passed + Performance.prototype.now.call(performance) - realAt;
      Object.assign(window, { setTimeout: later });
      for (const [run, ms] of timers.values()) later(run, Math.max(0, ms - passed));
    };
    Object.assign(window, { setTimeout: hold, clearTimeout: drop, passTime: pass });
  });
  return (ms) =>
    page.evaluate((passed) => (window as unknown as { passTime(ms: number): void }).passTime(passed), ms);
}

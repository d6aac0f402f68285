import { type Bench, type Shell, typeCommand } from '../subjects.ts';

/** Milliseconds from Enter until the log is parsed. */
export async function catLog(bench: Bench, shell: Shell): Promise<number> {
  await shell.page.bringToFront();
  await typeCommand(shell, `cat ${shell.log}`);
  const run = shell.page.evaluate(async (bytes) => {
    const { gauge } = window.bench;
    const parsed = await gauge.parsedAt(gauge.parsed + bytes);
    return parsed - window.bench.lastKeyAt;
  }, bench.log.outputBytes);
  await shell.page.keyboard.press('Enter');
  const milliseconds = await run;
  await shell.page.waitForFunction(() => window.bench.gauge.atPrompt());
  return milliseconds;
}

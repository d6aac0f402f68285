import type { Host } from './host.ts';

/** Says on standard error what a host that died left behind and could not be ended (ST-25, ST-26). */
export async function reportRecovery(host: Host): Promise<void> {
  for (const { text } of await host.recovery.list()) console.error(text);
  await host.governed.then(({ publications }) => {
    const { interrupted, problems } = publications.recovery;
    if (interrupted.length > 0)
      console.error(`Publications that an earlier run did not finish: ${interrupted.length}.`);
    for (const problem of problems) console.error(`Publications of an earlier run: ${problem}`);
  }, sayWhyNot);
}

function sayWhyNot(error: Error): void {
  console.error(`Governed sessions and publications are not available: ${error.message}`);
}

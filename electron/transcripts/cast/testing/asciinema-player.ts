import { readdirSync } from 'node:fs';
import { join } from 'node:path';

interface Played {
  readonly output: string;
  readonly errors: readonly unknown[];
}

/** What asciinema-player's own parser and driver make of a file. */
export async function playedByAsciinema(data: string): Promise<Played> {
  const dist = join(import.meta.dirname, '../../../../node_modules/asciinema-player/dist');
  const core = readdirSync(dist).find((name) => /^core-.*\.js$/.test(name));
  const { C: Core } = await import(join(dist, core ?? ''));
  const errors: unknown[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error: (...said: unknown[]) => errors.push(said) };
  const player = new Core({ data }, { logger, speed: 1, loop: false, autoPlay: false });
  let output = '';
  player.addEventListener('output', (texts: string[]) => {
    output += texts.join('');
  });
  player.addEventListener('error', (error: unknown) => errors.push(error));
  player.terminalReady();
  await player.init();
  await player.seek(1e9);
  return { output, errors };
}

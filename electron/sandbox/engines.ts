import { BubblewrapEngine, type BubblewrapOptions } from './bubblewrap/engine.ts';
import type { SandboxEngine } from './engine.ts';

/** Every engine that exists, the default first. Each says by `probe` whether it can be used on this machine. */
export function createEngines(options: BubblewrapOptions): SandboxEngine[] {
  return [new BubblewrapEngine(options)];
}

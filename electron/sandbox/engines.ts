import { AttachEngine } from './attach/engine.ts';
import { BubblewrapEngine, type BubblewrapOptions } from './bubblewrap/engine.ts';
import { ContainerEngine, type ContainerOptions } from './container/engine.ts';
import type { SandboxEngine } from './engine.ts';
import { MicrovmEngine, type MicrovmOptions } from './microvm/engine.ts';
import { SmolvmEngine, type SmolvmOptions } from './smolvm/engine.ts';

/** Every engine that exists, the default first. Each says by `probe` whether it can be used on this machine. */
export function createEngines(
  options: BubblewrapOptions & ContainerOptions & MicrovmOptions & SmolvmOptions,
): SandboxEngine[] {
  return [
    new BubblewrapEngine(options),
    new ContainerEngine(options),
    new AttachEngine(),
    new SmolvmEngine(options),
    new MicrovmEngine(options),
  ];
}

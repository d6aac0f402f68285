import type { EngineStatus } from '../../../shared/terminal/engine-status.ts';
export interface P {
  x: 1;
}
export async function gatherFacts(): Promise<P> {
  return { x: 1 };
}
export function decideStatus(_p: P): EngineStatus {
  return {
    kind: 'bubblewrap',
    name: 'bubblewrap',
    usable: true,
    version: null,
    summary: '',
    fixes: [],
    notes: [],
  };
}

import type {
  ContainerImage,
  PullProgress,
  RunningContainer,
} from '../../../shared/protocol/engine-requests.ts';
import { EngineError } from '../../sandbox/engine.ts';
import type { ContainerDaemons } from '../services.ts';

/** A daemon that keeps its images in a list. A pull goes on until the test says so or it is given up. */
export class MemoryDaemon implements ContainerDaemons {
  readonly list: ContainerImage[] = [];
  readonly containers: RunningContainer[] = [];
  /** Endpoints it was asked at, in order. */
  readonly asked: string[] = [];
  /** Why it answers nothing; null while it does. */
  failure: Error | null = null;
  onPull: (report: (progress: PullProgress) => void, signal: AbortSignal) => Promise<void> = async () => {};

  async images({ endpoint }: { endpoint: string }): Promise<ContainerImage[]> {
    this.#asked(endpoint);
    return this.list;
  }

  async running({ endpoint }: { endpoint: string }): Promise<RunningContainer[]> {
    this.#asked(endpoint);
    return this.containers;
  }

  async pull(
    { endpoint }: { endpoint: string },
    name: string,
    onProgress: (progress: PullProgress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    this.#asked(endpoint);
    await this.onPull(onProgress, signal);
    this.list.push({ name, id: `sha256:${name}`, bytes: 1, createdAt: 0 });
  }

  #asked(endpoint: string): void {
    this.asked.push(endpoint);
    if (this.failure !== null) throw this.failure;
  }
}

/** Rejects when `signal` is aborted, as a daemon client does. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new EngineError('open-failed', 'It was given up.')));
  });
}

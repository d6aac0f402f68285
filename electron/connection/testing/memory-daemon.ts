import type {
  ContainerEndpoint,
  ContainerImage,
  PullProgress,
} from '../../../shared/protocol/engine-requests.ts';
import { EngineError } from '../../sandbox/engine.ts';
import type { ContainerDaemons } from '../services.ts';

/** A daemon that keeps its images in a list. A pull goes on until the test says so or it is given up. */
export class MemoryDaemon implements ContainerDaemons {
  readonly list: ContainerImage[] = [];
  /** Endpoints it was asked at, in order. */
  readonly asked: string[] = [];
  /** Why it answers nothing; null while it does. */
  failure: Error | null = null;
  onPull: (report: (progress: PullProgress) => void, signal: AbortSignal) => Promise<void> = async () => {};

  readonly images: ContainerDaemons['images'] = async ({ endpoint }) => {
    this.#ask(endpoint);
    return { items: this.list, more: 0 };
  };

  readonly running: ContainerDaemons['running'] = async ({ endpoint }) => {
    this.#ask(endpoint);
    return { items: [], more: 0 };
  };

  readonly pull: ContainerDaemons['pull'] = async ({ endpoint }, name, onProgress, signal) => {
    this.#ask(endpoint);
    await this.onPull(onProgress, signal);
    this.list.push({ name, id: `sha256:${name}`, bytes: 1, createdAt: 0 });
  };

  #ask(endpoint: ContainerEndpoint['endpoint']): void {
    this.asked.push(endpoint);
    if (this.failure !== null) throw this.failure;
  }
}

/** Rejects when `signal` is aborted, as a daemon's client does. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new EngineError('open-failed', 'It was given up.')));
  });
}

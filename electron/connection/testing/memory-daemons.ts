import type {
  ContainerImage,
  Machine,
  NewMachine,
  PullProgress,
  RunningContainer,
  UnresolvedSession,
} from '../../../shared/protocol/engine-requests.ts';
import { EngineError } from '../../sandbox/engine.ts';
import type { ContainerDaemons, SmolvmServer, SmolvmServers } from '../services.ts';

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

/** A smolvm server with its machines in a list, and what a ledger of sessions would say of them. */
export class MemoryMachines implements SmolvmServers {
  readonly machines: Machine[] = [];
  readonly sessions: UnresolvedSession[] = [];
  readonly servers: SmolvmServer[] = [];

  async list(server: SmolvmServer): Promise<{ version: string; machines: Machine[] }> {
    this.servers.push(server);
    return { version: '1.20.2', machines: this.machines };
  }

  async create(_server: SmolvmServer, machine: NewMachine): Promise<void> {
    this.machines.push({ ...machine, state: 'created' });
  }

  async start(_server: SmolvmServer, name: string): Promise<void> {
    this.#become(name, 'running');
  }

  async stop(_server: SmolvmServer, name: string): Promise<void> {
    if (this.sessions.some(({ machine }) => machine === name))
      throw new EngineError('open-failed', 'A session on it is not resolved.');
    this.#become(name, 'stopped');
  }

  async delete(_server: SmolvmServer, name: string): Promise<void> {
    this.machines.splice(this.#indexOf(name), 1);
  }

  async unresolved(): Promise<UnresolvedSession[]> {
    return this.sessions;
  }

  async resolve(_server: SmolvmServer, sessionId: string): Promise<void> {
    const index = this.sessions.findIndex((session) => session.sessionId === sessionId);
    if (index >= 0) this.sessions.splice(index, 1);
  }

  #become(name: string, state: string): void {
    const index = this.#indexOf(name);
    this.machines[index] = { ...(this.machines[index] as Machine), state };
  }

  #indexOf(name: string): number {
    const index = this.machines.findIndex((machine) => machine.name === name);
    if (index < 0) throw new EngineError('engine-unavailable', `There is no machine ${name}.`);
    return index;
  }
}

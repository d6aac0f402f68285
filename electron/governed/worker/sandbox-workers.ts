import { WORKER_SIZE } from '../../../shared/governed/limits.ts';
import type { TaggedError } from '../../../shared/protocol/errors.ts';
import type { Profile } from '../../../shared/settings/schema.ts';
import { ENGINE_NAMES, type EngineKind } from '../../../shared/terminal/engine-status.ts';
import { EngineError, type SandboxEngine, type SandboxSpec } from '../../sandbox/engine.ts';
import { openTerminal } from '../../session/open-terminal.ts';
import type { SessionLedger } from '../../session/session-ledger.ts';
import type { Worker, WorkerSpec, Workers } from '../ports.ts';
import { SandboxWorker } from './sandbox-worker.ts';

export interface SandboxWorkersParts {
  readonly engines: ReadonlyMap<EngineKind, SandboxEngine>;
  /**
   * A ledger of its own in the folder of the shells' ledgers, so that the next host ends what this one leaves behind
   * (ST-26). Its maker closes it when the controller has ended everything.
   */
  readonly ledger: SessionLedger;
}

/**
 * Workers in a sandbox of the profile's engine, network and limits: literal argv, echo off, `TERM=dumb` and nothing else in
 * the environment, no file of the host but the mounts (E14). There is no other way to run one (E10.4).
 */
export class SandboxWorkers implements Workers {
  readonly #parts: SandboxWorkersParts;

  constructor(parts: SandboxWorkersParts) {
    this.#parts = parts;
  }

  supports(engine: EngineKind): boolean {
    // Any other would run it with a shell's environment.
    return this.#parts.engines.get(engine)?.runsWorkers === true;
  }

  problemOf(_profile: Profile): string | null {
    // A saved profile is valid by its schema, and what else it names does not apply to a worker.
    return null;
  }

  async start(
    { sessionId, argv, profile, mounts, fileMaxBytes }: WorkerSpec,
    signal: AbortSignal,
  ): Promise<Worker> {
    const engine = this.supports(profile.engine) ? this.#parts.engines.get(profile.engine) : undefined;
    if (engine === undefined)
      throw new EngineError(
        'engine-unavailable',
        `The engine “${ENGINE_NAMES[profile.engine]}” runs no governed sessions.`,
      );
    const { ledger } = this.#parts;
    const spec: SandboxSpec = {
      sessionId,
      profile: { ...profile, command: [...argv], project: null, scratch: null, environment: {} },
      project: null,
      worker: { files: mounts, fileMaxBytes },
    };
    const opened = await openTerminal({ engine, spec, size: WORKER_SIZE, ledger, signal });
    if (opened.ok) return new SandboxWorker(sessionId, opened.value, ledger);
    // What it says about its own cancelling is no failure of the start (E15).
    signal.throwIfAborted();
    throw asEngineError(opened.error);
  }
}

function asEngineError({ tag, message }: TaggedError): EngineError {
  switch (tag) {
    case 'engine-unavailable':
    case 'open-timed-out':
    case 'profile-invalid':
      return new EngineError(tag, message);
    default:
      return new EngineError('open-failed', message);
  }
}

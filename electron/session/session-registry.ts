import type { TaggedError } from '../../shared/protocol/errors.ts';
import type { Result } from '../../shared/result.ts';
import type { Profile } from '../../shared/settings/schema.ts';
import type { EngineKind } from '../../shared/terminal/engine-status.ts';
import type { ReleaseCause } from '../../shared/terminal/outcome.ts';
import type { TerminalSize } from '../../shared/terminal/size.ts';
import type { SandboxEngine } from '../sandbox/engine.ts';
import type { Session } from './session.ts';
import type { Principal, SessionSink } from './sink.ts';

export interface OpenRequest {
  readonly profile: Profile;
  /** Absolute path of the project folder for this session; null leaves it to the profile. */
  readonly project: string | null;
  readonly size: TerminalSize;
  readonly principal: Principal;
  readonly sink: SessionSink;
  /** Aborting it gives the opening up; it has no effect on a session that is open. */
  readonly signal: AbortSignal;
}

export interface RegistryOptions {
  readonly engines: ReadonlyMap<EngineKind, SandboxEngine>;
  /** Folder of this host's ledger (and of those that dead hosts left), made when missing. */
  readonly ledgerFolder: string;
}

/** Owns every session of a host. Skeleton: the implementation follows. */
export class SessionRegistry {
  readonly size: number = 0;
  constructor(_options: RegistryOptions) {}

  open(_request: OpenRequest): Promise<Result<Session, TaggedError>> {
    throw new Error('not built yet');
  }
  find(_sessionId: string, _principal: Principal): Result<Session, TaggedError> {
    throw new Error('not built yet');
  }
  releaseOf(_principal: Principal, _cause: ReleaseCause): Promise<void> {
    throw new Error('not built yet');
  }
  releaseAll(_cause: ReleaseCause): Promise<void> {
    throw new Error('not built yet');
  }
}

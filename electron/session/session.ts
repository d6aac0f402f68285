import type { TaggedError } from '../../shared/protocol/errors.ts';
import type { Result } from '../../shared/result.ts';
import type { Profile } from '../../shared/settings/schema.ts';
import type { InputOrigin } from '../../shared/terminal/input-origin.ts';
import type { ReleaseCause } from '../../shared/terminal/outcome.ts';
import type { SandboxPosture } from '../../shared/terminal/posture.ts';
import type { SessionState } from '../../shared/terminal/session-state.ts';
import type { TerminalSize } from '../../shared/terminal/size.ts';

/** One interactive terminal of one sandbox. Skeleton: the implementation follows. */
export interface Session {
  readonly id: string;
  readonly profile: Profile;
  readonly posture: SandboxPosture;
  readonly state: SessionState;
  /** Resolves when the session has ended and its end was told and recorded. Never rejects. */
  readonly closed: Promise<void>;
  input(origin: InputOrigin, bytes: Uint8Array): Result<void, TaggedError>;
  resize(size: TerminalSize): Promise<Result<void, TaggedError>>;
  sendBreak(): Promise<Result<{ effect: string }, TaggedError>>;
  suspend(): Result<void, TaggedError>;
  resume(size: TerminalSize): Promise<Result<void, TaggedError>>;
  /** `total` output bytes of this session, counted from its start, have been parsed by the client. */
  parsed(total: number): void;
  end(cause: ReleaseCause): Result<void, TaggedError>;
}

import type { CommandReply, GovernedFailure } from '../../../shared/governed/call.ts';
import { fail, type Result } from '../../../shared/result.ts';
import type { GovernedCall } from './call.ts';
import type { Clock } from './clock.ts';
import { type FailureName, failure } from './failures.ts';

export type CallResult = Result<CommandReply, GovernedFailure>;

/**
 * Where a command is. `publishing` has begun what cannot be taken back: its caller hears how that ended, even if late,
 * because nothing may be published after a reply (E39).
 */
export type CommandStage = 'waiting' | 'queued' | 'running' | 'publishing';

/** What the caller hears at its deadline, by stage (E8, E23, E24). */
const AT_DEADLINE: Readonly<Record<CommandStage, FailureName | null>> = {
  waiting: 'admissionExpired',
  queued: 'expiredBeforeExecution',
  running: 'callerTimedOut',
  publishing: null,
};

/** What it hears at once when it leaves; a running command is ended first, and answers itself. */
const WHEN_GONE: Readonly<Record<CommandStage, FailureName | null>> = {
  ...AT_DEADLINE,
  running: null,
};

/** One command and the caller that waits for its reply. Answered exactly once. */
export class PendingCommand {
  readonly call: GovernedCall;
  readonly reply: Promise<CallResult>;
  readonly #resolve: (result: CallResult) => void;
  readonly #signal: AbortSignal;
  #stage: CommandStage = 'waiting';
  #answered = false;
  #end: () => void = () => {};

  /** `changed` is called when the caller has left or timed out. */
  constructor(call: GovernedCall, signal: AbortSignal, clock: Clock, changed: () => void) {
    this.call = call;
    this.#signal = signal;
    const { promise, resolve } = Promise.withResolvers<CallResult>();
    this.reply = promise;
    this.#resolve = resolve;
    const left = (names: typeof WHEN_GONE) => () => {
      const name = names[this.#stage];
      if (name !== null) this.answer(fail(failure(name)));
      changed();
    };
    const leave = left(WHEN_GONE);
    const timer = clock.at(call.deadline, left(AT_DEADLINE));
    signal.addEventListener('abort', leave);
    this.#end = () => {
      timer.dispose();
      signal.removeEventListener('abort', leave);
    };
    if (signal.aborted) leave();
  }

  get stage(): CommandStage {
    return this.#stage;
  }

  get isAnswered(): boolean {
    return this.#answered;
  }

  get callerIsGone(): boolean {
    return this.#signal.aborted;
  }

  move(stage: CommandStage): void {
    this.#stage = stage;
  }

  /** The first answer counts. */
  answer(result: CallResult): void {
    if (this.#answered) return;
    this.#answered = true;
    this.#end();
    this.#resolve(result);
  }
}

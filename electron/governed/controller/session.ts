import type { GovernedStatus } from '../../../shared/governed/activity.ts';
import type { CommandReply, GovernedFailure } from '../../../shared/governed/call.ts';
import type { Receipt } from '../../../shared/governed/receipt.ts';
import { fail, ok } from '../../../shared/result.ts';
import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import type { Workers } from '../ports.ts';
import { Admission } from './admission.ts';
import { type GovernedCall, grantsOutput, type Run } from './call.ts';
import { commandOf } from './call-checks.ts';
import type { Clock } from './clock.ts';
import { type Ending, failedCommand, repliedEnd, sentence, silentEnd } from './ending.ts';
import { failure, messageOf } from './failures.ts';
import { finalize } from './finalize.ts';
import { grantsKey, manifestOf, runKey, sessionKey } from './identity.ts';
import { Inbox } from './inbox.ts';
import { PendingCommand } from './pending-command.ts';
import { type Observed, type ReplyFacts, replyOf } from './reply.ts';
import { SessionWorker } from './session-worker.ts';
import { Transcript } from './transcript.ts';

export interface SessionParts {
  readonly id: string;
  /** The call that creates the session: its terms hold for the whole life (E9). */
  readonly first: GovernedCall;
  readonly clock: Clock;
  readonly workers: Workers;
  /** Told when activity, count or deadlines have changed; must not throw. */
  readonly changed: (session: GovernedSession) => void;
}

/** Whether the session's end was seen through: not yet, cleanly, or what went wrong (E42–E46). */
export type Acknowledgement = 'pending' | 'clean' | GovernedFailure;

type Activity = GovernedStatus['activity'];

/**
 * One governed terminal. An actor: one loop takes one thing at a time, in the order of PRIORITIES. It starts its worker with
 * the first command, and never a second one (E13, E38).
 */
export class GovernedSession {
  readonly id: string;
  readonly key: string;
  readonly run: Run;
  readonly runKey: string;
  readonly binding: string;
  readonly manifest: string;
  readonly grants: string;
  readonly transcript: Transcript;
  /** Resolves when the session has ended and everything of it was looked after. Never rejects. */
  readonly acknowledged: Promise<void>;

  readonly #first: GovernedCall;
  readonly #clock: Clock;
  readonly #changed: (session: GovernedSession) => void;
  readonly #inbox: Inbox;
  readonly #admission = new Admission();
  readonly #worker: SessionWorker;
  /** Readings of the clock (E17, E18). */
  readonly #lifeEnds: number;
  #idleEnds: number | null = null;

  #running: PendingCommand | null = null;
  #activity: Activity = { kind: 'idle' };
  #interactions = 0;
  #published = false;
  #accepting = true;
  #acknowledgement: Acknowledgement = 'pending';

  constructor({ id, first, clock, workers, changed }: SessionParts) {
    this.id = id;
    this.key = sessionKey(first);
    this.run = first.run;
    this.runKey = runKey(first.run);
    this.binding = first.binding;
    this.manifest = manifestOf(first);
    this.grants = grantsKey(first);
    const transcript = new Transcript(clock);
    const inbox = new Inbox(clock);
    inbox.hasCommand = () => this.#admission.hasCommand;
    inbox.callerIsGone = () => this.#running?.callerIsGone ?? false;
    this.transcript = transcript;
    this.#first = first;
    this.#clock = clock;
    this.#changed = changed;
    this.#inbox = inbox;
    this.#worker = new SessionWorker({ sessionId: id, first, workers, clock, inbox, transcript });
    const lifeMs = Math.min(
      first.manifest.session.sessionTimeoutMs,
      first.workerMaxMs ?? Number.POSITIVE_INFINITY,
    );
    this.#lifeEnds = Math.min(clock.now() + lifeMs, first.run.deadline);
    this.acknowledged = this.#live()
      .catch((error) => silentEnd('Airlock failed.', failure('acknowledgementMissing', messageOf(error))))
      .then((ending) => this.#close(ending));
  }

  get accepting(): boolean {
    return this.#accepting;
  }

  get acknowledgement(): Acknowledgement {
    return this.#acknowledgement;
  }

  /** Null until the worker runs. */
  get posture(): SandboxPosture | null {
    return this.#worker.posture;
  }

  /** Bytes in the output file now; null while there is none, or that is not known. Never rejects. */
  stagedBytes(): Promise<number | null> {
    return this.#worker.stagedBytes();
  }

  get status(): GovernedStatus {
    const now = this.#clock.now();
    const left = (time: number | null) =>
      time === null || !this.#accepting ? null : Math.max(0, time - now);
    return {
      activity: this.#activity,
      interactions: { count: this.#interactions, limit: this.#first.manifest.session.maxInteractions },
      idleLeftMs: left(this.#idleEnds),
      lifeLeftMs: left(this.#lifeEnds),
    };
  }

  /** Takes a command that has passed every check; its `reply` tells the rest. */
  submit(call: GovernedCall, signal: AbortSignal): PendingCommand {
    const command = new PendingCommand(call, signal, this.#clock, this.#inbox.notify);
    this.#admission.add(command);
    this.#inbox.notify();
    return command;
  }

  /** Ends the session, whatever it does (E44). Idempotent. */
  stop(): void {
    this.#inbox.stop();
  }

  async #live(): Promise<Ending> {
    for (;;) {
      const ending = await this.#step();
      if (ending !== null) return ending;
    }
  }

  /** One thing between commands (E21). */
  async #step(): Promise<Ending | null> {
    switch (await this.#inbox.next('idle', { deadline: this.#idleEnds ?? this.#lifeEnds })) {
      case 'stop':
        return silentEnd('It was stopped.');
      case 'deadline': {
        const isLife = this.#clock.now() >= this.#lifeEnds;
        return silentEnd(isLife ? 'Its time was over.' : 'No command came in time.');
      }
      case 'command': {
        const command = this.#admission.take();
        return command === null ? null : this.#take(command);
      }
      case 'output': {
        const problem = this.#worker.recordIdleOutput();
        return problem === null ? null : silentEnd(sentence(problem.text), problem);
      }
      case 'ended':
        return this.#endedWhileIdle();
    }
  }

  #endedWhileIdle(): Ending {
    const error = this.#inbox.end?.readError ?? null;
    if (error === null) return silentEnd('The program ended.', failure('exitedWhileIdle'));
    const problem = failure('idleReadFailed', error);
    return silentEnd(sentence(problem.text), problem);
  }

  async #take(command: PendingCommand): Promise<Ending | null> {
    if (command.isAnswered || command.callerIsGone || this.#clock.now() >= command.call.deadline) {
      command.answer(fail(failure('expiredBeforeExecution')));
      return null;
    }
    this.#running = command;
    command.move('running');
    const since = new Date(this.#clock.wall()).toISOString();
    this.#become({ kind: 'running', command: command.call.tool, since });
    const ending = await this.#execute(command);
    if (ending !== null) return ending;
    this.#running = null;
    this.#become({ kind: 'idle' });
    return null;
  }

  async #execute(command: PendingCommand): Promise<Ending | null> {
    const { maxInteractions, idleTimeoutMs } = this.#first.manifest.session;
    const taken = this.#clock.now();
    if (this.#interactions >= maxInteractions)
      return failedCommand(command, failure('interactionsExhausted'));
    const notReady = await this.#makeReady(command);
    if (notReady !== null) return notReady;
    const answer = await this.#worker.ask(command.call, this.#lifeEnds);
    if (!answer.ok) return failedCommand(command, answer.error);
    this.#interactions += 1;
    const observed: Observed = {
      output: answer.value.output,
      prompt: answer.value.line,
      durationMs: answer.value.at - taken,
      interactionCount: this.#interactions,
    };
    if (commandOf(command.call)?.finalize) return this.#finalize(command, observed);
    if (this.#interactions >= maxInteractions) return this.#endAtLimit(command, observed);
    this.#idleEnds = Math.min(this.#clock.now() + idleTimeoutMs, this.#lifeEnds);
    command.answer(ok(this.#replyTo(observed)));
    return null;
  }

  /** A worker that runs and has nothing left to say. */
  async #makeReady(command: PendingCommand): Promise<Ending | null> {
    if (!this.#worker.isStarted) {
      const startEnds = this.#clock.now() + this.#first.manifest.session.startupTimeoutMs;
      const failed = await this.#worker.start(Math.min(startEnds, command.call.deadline, this.#lifeEnds));
      if (failed !== null) return failedCommand(command, failed.failure, failed.cleanup);
    }
    const problem = this.#worker.recordIdleOutput();
    return problem === null ? null : failedCommand(command, failure('closedBeforeResponse'), problem);
  }

  /** E36: the last permitted command was no finalizing one. */
  #endAtLimit(command: PendingCommand, observed: Observed): Ending {
    if (grantsOutput(this.#first))
      return failedCommand(command, { ...failure('unpublishedAtLimit'), file: 'gone' });
    const reply = this.#replyTo(observed, { closed: true });
    return repliedEnd('The manifest permits no more commands.', command, reply);
  }

  /** E39–E41. */
  async #finalize(command: PendingCommand, observed: Observed): Promise<Ending> {
    this.#accepting = false;
    this.#become({ kind: 'publishing', command: command.call.tool });
    const owesFile = grantsOutput(this.#first);
    const ends = Math.min(command.call.deadline, this.#lifeEnds);
    const finalized = await finalize({
      command,
      worker: this.#worker,
      owesFile,
      mayGoOn: () =>
        !this.#inbox.stopped && !command.callerIsGone && !command.isAnswered && this.#clock.now() < ends,
      replyWith: (receipt) => this.#replyTo(observed, { finalized: true, closed: true, receipt }),
    });
    if (!finalized.ok) return failedCommand(command, finalized.error);
    this.#published = owesFile;
    return repliedEnd(owesFile ? 'Its file was published.' : 'It was finalized.', command, finalized.value);
  }

  #replyTo(
    observed: Observed,
    how: { finalized?: boolean; closed?: boolean; receipt?: Receipt | null } = {},
  ): CommandReply {
    const facts: ReplyFacts = {
      finalized: false,
      closed: false,
      receipt: null,
      ...how,
      sessionId: this.id,
      wall: this.#clock.wall(),
      grantsOutput: grantsOutput(this.#first),
    };
    return replyOf(observed, facts);
  }

  /** Everything is gone before anybody is told (E37). */
  async #close({ why, cleanup, answer }: Ending): Promise<void> {
    this.#accepting = false;
    const notRemoved = await this.#worker.remove();
    this.#inbox.close();
    this.#first.viewer?.end();
    const notDiscarded = await this.#worker.discard();
    const owesFile = grantsOutput(this.#first) && !this.#published;
    const unpublished = owesFile ? failure('closedUnpublished') : null;
    this.#acknowledgement = notRemoved ?? cleanup ?? notDiscarded ?? unpublished ?? 'clean';
    answer?.command.answer(notRemoved === null ? answer.result : fail(notRemoved));
    this.#running?.answer(fail(failure('closedBeforeResponse')));
    this.#admission.close();
    this.#become({ kind: 'closed', why });
  }

  #become(activity: Activity): void {
    this.#activity = activity;
    this.#changed(this);
  }
}

import type { GovernedStatus } from '../../../shared/governed/activity.ts';
import type { GovernedFailure } from '../../../shared/governed/call.ts';
import { INTERACTION_OUTPUT } from '../../../shared/governed/limits.ts';
import { fail, ok } from '../../../shared/result.ts';
import { RELEASE_DEADLINE_MS } from '../../../shared/terminal/limits.ts';
import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import { withDeadline } from '../../session/deadline.ts';
import type { Staging, Worker, Workers } from '../ports.ts';
import { Admission } from './admission.ts';
import { awaitPrompt } from './await-prompt.ts';
import { type GovernedCall, grantsOutput, type Run } from './call.ts';
import { commandOf } from './call-checks.ts';
import type { Clock } from './clock.ts';
import { type Ending, failedCommand, sentence, silentEnd } from './ending.ts';
import { type FailureName, failure, messageOf, ownFailure } from './failures.ts';
import { grantsKey, manifestOf, runKey, sessionKey } from './identity.ts';
import { Inbox } from './inbox.ts';
import { PendingCommand } from './pending-command.ts';
import { publish } from './publish.ts';
import { type Observed, replyOf } from './reply.ts';
import { startWorker } from './start-worker.ts';
import { Transcript } from './transcript.ts';
import { WorkerOutput } from './worker-output.ts';

/** What an activity of a session is to whoever shows it; never throws. */
export interface SessionWatcher {
  changed(session: GovernedSession): void;
}

export interface SessionParts {
  readonly id: string;
  /** The call that creates the session: its terms hold for the whole life (E9). */
  readonly first: GovernedCall;
  readonly clock: Clock;
  readonly workers: Workers;
  readonly watcher: SessionWatcher;
}

/** Whether the session's end was seen through: not yet, cleanly, or what went wrong (E42–E46). */
export type Acknowledgement = 'pending' | 'clean' | GovernedFailure;

type Activity = GovernedStatus['activity'];

const STARTUP_FAILURES = {
  stop: 'startupCancelled',
  'caller-gone': 'callerCancelledStartup',
  deadline: 'startupTimedOut',
} as const satisfies Record<string, FailureName>;

const COMMAND_FAILURES = {
  stop: 'runCancelled',
  'caller-gone': 'callerCancelled',
  deadline: 'interactionTimedOut',
} as const satisfies Record<string, FailureName>;

/**
 * One governed terminal: the only owner of its worker and its staged files. An actor: one loop takes one thing at a time, in
 * the order of PRIORITIES. It starts its worker with the first command and never a second one (E13, E38).
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
  readonly acknowledged: Promise<Exclude<Acknowledgement, 'pending'>>;

  readonly #first: GovernedCall;
  readonly #clock: Clock;
  readonly #workers: Workers;
  readonly #watcher: SessionWatcher;
  readonly #inbox: Inbox;
  readonly #admission = new Admission();
  readonly #output = new WorkerOutput();
  /** Readings of the clock (E17, E18). */
  readonly #lifeEnds: number;
  #idleEnds: number | null = null;

  #worker: Worker | null = null;
  #staging: Staging | null = null;
  #removal: Promise<GovernedFailure | null> | null = null;
  #running: PendingCommand | null = null;
  #activity: Activity = { kind: 'idle' };
  #interactions = 0;
  #published = false;
  #accepting = true;
  #acknowledgement: Acknowledgement = 'pending';

  constructor({ id, first, clock, workers, watcher }: SessionParts) {
    this.id = id;
    this.key = sessionKey(first);
    this.run = first.run;
    this.runKey = runKey(first.run);
    this.binding = first.binding;
    this.manifest = manifestOf(first);
    this.grants = grantsKey(first);
    this.transcript = new Transcript(clock);
    this.#first = first;
    this.#clock = clock;
    this.#workers = workers;
    this.#watcher = watcher;
    this.#inbox = new Inbox(clock);
    this.#inbox.hasCommand = () => this.#admission.hasCommand;
    this.#inbox.callerIsGone = () => this.#running?.callerIsGone ?? false;
    const lifeMs = Math.min(
      first.manifest.session.sessionTimeoutMs,
      first.workerMaxMs ?? Number.POSITIVE_INFINITY,
    );
    this.#lifeEnds = Math.min(clock.now() + lifeMs, first.run.deadline);
    this.acknowledged = this.#live().then(
      (ending) => this.#close(ending),
      (error) =>
        this.#close(silentEnd('Airlock failed.', failure('acknowledgementMissing', messageOf(error)))),
    );
  }

  get accepting(): boolean {
    return this.#accepting;
  }

  get acknowledgement(): Acknowledgement {
    return this.#acknowledgement;
  }

  /** Null until the worker runs. */
  get posture(): SandboxPosture | null {
    return this.#worker?.posture ?? null;
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
      switch (await this.#inbox.next('idle', { deadline: this.#idleEnds ?? this.#lifeEnds })) {
        case 'stop':
          return silentEnd('It was stopped.');
        case 'deadline':
          return silentEnd(
            this.#clock.now() >= this.#lifeEnds ? 'Its time was over.' : 'No command came in time.',
          );
        case 'command': {
          const command = this.#admission.take();
          const ending = command === null ? null : await this.#take(command);
          if (ending !== null) return ending;
          break;
        }
        case 'output': {
          const problem = this.#recordIdleOutput();
          if (problem !== null) return silentEnd(sentence(problem.text), problem);
          break;
        }
        case 'ended':
          return this.#endedWhileIdle();
      }
    }
  }

  #endedWhileIdle(): Ending {
    const error = this.#inbox.end?.readError ?? null;
    const problem = error === null ? failure('exitedWhileIdle') : failure('idleReadFailed', error);
    return silentEnd(error === null ? 'The program ended.' : sentence(problem.text), problem);
  }

  /** E32. Also what is drained before a command is written, so that an old prompt cannot answer it (E29). */
  #recordIdleOutput(): GovernedFailure | null {
    for (let chunk = this.#inbox.takeOutput(); chunk !== null; chunk = this.#inbox.takeOutput()) {
      const taken = this.#output.takeIdle(chunk);
      if ('failure' in taken) return taken.failure;
      if (taken.text !== '' && !this.transcript.add('System', taken.text)) return failure('transcriptFull');
    }
    return null;
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
    const { maxInteractions } = this.#first.manifest.session;
    const taken = this.#clock.now();
    if (this.#interactions >= maxInteractions)
      return failedCommand(command, failure('interactionsExhausted'));
    const startFailed = this.#worker === null ? await this.#start(command) : null;
    if (startFailed !== null) return startFailed;
    const idleProblem = this.#recordIdleOutput();
    if (idleProblem !== null) return failedCommand(command, failure('closedBeforeResponse'), idleProblem);

    const prompt = await this.#interact(command);
    if (!prompt.ok) return failedCommand(command, prompt.error);
    const output = this.#output.begin();
    if (!this.transcript.add('Response', output, command.call.tool))
      return failedCommand(command, failure('transcriptFull'));
    this.#interactions += 1;
    const observed: Observed = {
      output,
      prompt: prompt.value.line,
      durationMs: prompt.value.at - taken,
      interactionCount: this.#interactions,
    };
    if (commandOf(command.call)?.finalize) return this.#finalize(command, observed);
    if (this.#interactions >= maxInteractions) return this.#endAtLimit(command, observed);
    this.#idleEnds = Math.min(this.#clock.now() + this.#first.manifest.session.idleTimeoutMs, this.#lifeEnds);
    command.answer(ok(this.#replyTo(observed, { finalized: false, closed: false })));
    return null;
  }

  /** E13, E15, E16: files, worker, first prompt, all by one deadline. */
  async #start(command: PendingCommand): Promise<Ending | null> {
    const { startupTimeoutMs } = this.#first.manifest.session;
    const deadline = Math.min(this.#clock.now() + startupTimeoutMs, command.call.deadline, this.#lifeEnds);
    const abort = new AbortController();
    const starting = this.#inbox.watch(startWorker(this.id, this.#first, this.#workers, abort.signal));
    const fact = await this.#inbox.next('starting', { deadline });
    if (fact !== 'work') abort.abort();
    const started = await starting;
    this.#staging = started.staging;
    this.#worker = started.worker;
    if (fact !== 'work') {
      const problem = failure(STARTUP_FAILURES[fact], started.failure?.text);
      return failedCommand(command, problem, started.failure);
    }
    if (started.worker === null) {
      const problem = started.failure ?? failure('startFailed');
      return failedCommand(command, problem, problem);
    }
    this.#listen(started.worker);
    return this.#awaitFirstPrompt(command, deadline);
  }

  #listen(worker: Worker): void {
    const { viewer } = this.#first;
    worker.onOutput((bytes) => {
      // Not `slice`: a Buffer's would share its memory.
      const own = Uint8Array.from(bytes);
      if (this.#inbox.output(own)) viewer?.push(own);
    });
    worker.ended.then(
      () => this.#inbox.outputEnded({ readError: null }),
      (error) => this.#inbox.outputEnded({ readError: messageOf(error) }),
    );
  }

  async #awaitFirstPrompt(command: PendingCommand, deadline: number): Promise<Ending | null> {
    this.#output.begin();
    const prompt = await this.#awaitPrompt({ deadline, failures: STARTUP_FAILURES });
    // Recorded in any case: it says why a program did not get to its prompt (B19).
    const recorded = this.transcript.add('System', this.#output.begin());
    if (!prompt.ok) return failedCommand(command, prompt.error);
    return recorded ? null : failedCommand(command, failure('transcriptFull'));
  }

  /** E25, E26: records, writes, waits. */
  async #interact(command: PendingCommand) {
    const { call } = command;
    if (this.#clock.now() >= call.deadline) return fail(failure('expiredBeforeWrite'));
    if (!this.transcript.add('Command', call.text, call.tool)) return fail(failure('transcriptFull'));
    this.#output.begin();
    const deadline = Math.min(call.deadline, this.#lifeEnds);
    const problem = await this.#write(`${call.text}\n`, deadline);
    if (problem !== null) return fail(problem);
    const waitMs = INTERACTION_OUTPUT.waitFactor * this.#first.manifest.session.outputWaitMs;
    return this.#awaitPrompt({ deadline, late: this.#clock.now() + waitMs, failures: COMMAND_FAILURES });
  }

  async #write(line: string, deadline: number): Promise<GovernedFailure | null> {
    const written = this.#worker?.write(Buffer.from(line)) ?? Promise.reject(new Error('no worker'));
    const outcome = this.#inbox.watch(
      written.then(
        () => null,
        (error) => failure('writeFailed', messageOf(error)),
      ),
    );
    const fact = await this.#inbox.next('writing', { deadline });
    return fact === 'work' ? outcome : failure(COMMAND_FAILURES[fact]);
  }

  #awaitPrompt(wait: {
    deadline: number;
    late?: number;
    failures: Readonly<Record<'stop' | 'caller-gone' | 'deadline', FailureName>>;
  }) {
    return awaitPrompt({
      ...wait,
      clock: this.#clock,
      inbox: this.#inbox,
      output: this.#output,
      matcher: this.#first.matcher,
      maxBytes: this.#first.manifest.session.outputMaxBytes,
    });
  }

  /** E36: the last permitted command was no finalizing one. */
  #endAtLimit(command: PendingCommand, observed: Observed): Ending {
    if (grantsOutput(this.#first)) return failedCommand(command, failure('unpublishedAtLimit'));
    const reply = this.#replyTo(observed, { finalized: false, closed: true });
    return {
      why: 'The manifest permits no more commands.',
      cleanup: null,
      answer: { command, result: ok(reply) },
    };
  }

  /** E39–E41. The prompt was observed and recorded; nothing is published unless every step before it succeeded. */
  async #finalize(command: PendingCommand, observed: Observed): Promise<Ending> {
    this.#accepting = false;
    this.#become({ kind: 'publishing', command: command.call.tool });
    const notRemoved = await this.#removeWorker();
    if (notRemoved !== null) return failedCommand(command, notRemoved);
    const ends = Math.min(command.call.deadline, this.#lifeEnds);
    const mayGoOn = () =>
      !this.#inbox.stopped && !command.callerIsGone && !command.isAnswered && this.#clock.now() < ends;
    if (!mayGoOn()) return failedCommand(command, failure('finalizationCancelled'));
    const why = grantsOutput(this.#first) ? 'Its file was published.' : 'It was finalized.';
    const done = (receipt: Parameters<typeof replyOf>[1]['receipt']): Ending => ({
      why,
      cleanup: null,
      answer: {
        command,
        result: ok(this.#replyTo(observed, { finalized: true, closed: true, receipt })),
      },
    });
    if (!grantsOutput(this.#first)) return done(null);
    if (this.#staging === null) return failedCommand(command, failure('stagingMissing'));
    command.move('publishing');
    const published = await publish(this.#staging, command.call.authority, mayGoOn);
    if (!published.ok) return failedCommand(command, published.error);
    this.#published = true;
    return done(published.value);
  }

  #replyTo(
    observed: Observed,
    how: { finalized: boolean; closed: boolean; receipt?: Parameters<typeof replyOf>[1]['receipt'] },
  ) {
    return replyOf(observed, {
      receipt: null,
      ...how,
      sessionId: this.id,
      wall: this.#clock.wall(),
      grantsOutput: grantsOutput(this.#first),
    });
  }

  /** Ends the worker, once; null when its removal is confirmed, or there never was one. */
  #removeWorker(): Promise<GovernedFailure | null> {
    this.#removal ??= removalOf(this.#worker);
    return this.#removal;
  }

  /** E37: everything is gone before anybody is told. */
  async #close(ending: Ending): Promise<Exclude<Acknowledgement, 'pending'>> {
    this.#accepting = false;
    const notRemoved = await this.#removeWorker();
    this.#first.viewer?.end();
    const notDiscarded = await discard(this.#staging);
    const unpublished = grantsOutput(this.#first) && !this.#published ? failure('closedUnpublished') : null;
    this.#acknowledgement = notRemoved ?? ending.cleanup ?? notDiscarded ?? unpublished ?? 'clean';
    const { answer } = ending;
    answer?.command.answer(notRemoved === null || this.#published ? answer.result : fail(notRemoved));
    this.#running?.answer(fail(failure('closedBeforeResponse')));
    this.#admission.close();
    this.#become({ kind: 'closed', why: ending.why });
    return this.#acknowledgement;
  }

  #become(activity: Activity): void {
    this.#activity = activity;
    this.#watcher.changed(this);
  }
}

async function removalOf(worker: Worker | null): Promise<GovernedFailure | null> {
  if (worker === null) return null;
  const report = await withDeadline(
    worker.release().then(({ removed, reason }) => ({ removed, reason: reason ?? null })),
    RELEASE_DEADLINE_MS,
    (reason) => ({ removed: false, reason: messageOf(reason) }),
  );
  return report.removed ? null : failure('removalUnconfirmed', report.reason ?? undefined);
}

async function discard(staging: Staging | null): Promise<GovernedFailure | null> {
  try {
    await staging?.discard();
    return null;
  } catch (error) {
    return ownFailure('X0', `${failure('stagingNotDiscarded').text}: ${messageOf(error)}`);
  }
}

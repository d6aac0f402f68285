import type { GovernedFailure } from '../../../shared/governed/call.ts';
import { INTERACTION_OUTPUT } from '../../../shared/governed/limits.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { RELEASE_DEADLINE_MS } from '../../../shared/terminal/limits.ts';
import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import { withDeadline } from '../../session/deadline.ts';
import type { Staging, Worker, Workers } from '../ports.ts';
import { awaitPrompt, type Prompt, type PromptWait } from './await-prompt.ts';
import type { GovernedCall } from './call.ts';
import type { Clock } from './clock.ts';
import { type FailureName, failure, messageOf } from './failures.ts';
import type { Inbox } from './inbox.ts';
import { sentLine } from './sent-line.ts';
import { startWorker } from './start-worker.ts';
import type { Transcript } from './transcript.ts';
import { WorkerOutput } from './worker-output.ts';

export interface SessionWorkerParts {
  readonly sessionId: string;
  readonly first: GovernedCall;
  readonly workers: Workers;
  readonly clock: Clock;
  readonly inbox: Inbox;
  readonly transcript: Transcript;
}

/** A start that failed: what the command is told, and whether it is also an error of the session's cleanup (E15). */
export interface StartFailure {
  readonly failure: GovernedFailure;
  readonly cleanup: GovernedFailure | null;
}

/** A command's prompt, and the text that came before it. */
export interface Answer extends Prompt {
  readonly output: string;
}

type Cancelled = Readonly<Record<'stop' | 'caller-gone' | 'deadline', FailureName>>;

const WHILE_STARTING: Cancelled = {
  stop: 'startupCancelled',
  'caller-gone': 'callerCancelledStartup',
  deadline: 'startupTimedOut',
};

const IN_A_COMMAND: Cancelled = {
  stop: 'runCancelled',
  'caller-gone': 'callerCancelled',
  deadline: 'interactionTimedOut',
};

/** The one worker of a session with its staged files: started once, asked, removed. Records what it says. */
export class SessionWorker {
  readonly #parts: SessionWorkerParts;
  readonly #output = new WorkerOutput();
  #worker: Worker | null = null;
  #staging: Staging | null = null;
  #removal: Promise<GovernedFailure | null> | null = null;

  constructor(parts: SessionWorkerParts) {
    this.#parts = parts;
  }

  get isStarted(): boolean {
    return this.#worker !== null;
  }

  get staging(): Staging | null {
    return this.#staging;
  }

  /** Bytes in the output file now; null while there is none, or where it comes with the worker's removal. Never rejects. */
  async stagedBytes(): Promise<number | null> {
    if (this.#staging === null || this.#worker?.filesComeLate) return null;
    return this.#staging.stagedBytes().catch(() => null);
  }

  /** Null until it runs. */
  get posture(): SandboxPosture | null {
    return this.#worker?.posture ?? null;
  }

  /** Files, worker and first prompt, all by one deadline (E13, E16). Null when it is ready. */
  async start(deadline: number): Promise<StartFailure | null> {
    const { sessionId, first, workers, inbox } = this.#parts;
    const abort = new AbortController();
    const starting = inbox.watch(startWorker(sessionId, first, workers, abort.signal));
    const fact = await inbox.next('starting', { deadline });
    if (fact !== 'work') abort.abort();
    // Awaited in any case: what comes up too late is removed like any other (E15).
    const started = await starting;
    this.#staging = started.staging;
    this.#worker = started.worker;
    if (fact !== 'work')
      return { failure: failure(WHILE_STARTING[fact], started.failure?.text), cleanup: started.failure };
    if (started.worker === null) {
      const problem = started.failure ?? failure('startFailed');
      return { failure: problem, cleanup: problem };
    }
    this.#listen(started.worker);
    const problem = await this.#awaitFirstPrompt(deadline);
    return problem === null ? null : { failure: problem, cleanup: null };
  }

  /** Records and writes a command, waits for its prompt, and records what came (E25–E28). */
  async ask(
    { text, tool, deadline }: GovernedCall,
    lifeEnds: number,
  ): Promise<Result<Answer, GovernedFailure>> {
    const { clock, transcript, first } = this.#parts;
    if (clock.now() >= deadline) return fail(failure('expiredBeforeWrite'));
    if (!transcript.add('Command', text, tool)) return fail(failure('transcriptFull'));
    this.#output.begin();
    const ends = Math.min(deadline, lifeEnds);
    first.viewer?.push(sentLine(text));
    const problem = await this.#write(`${text}\n`, ends);
    if (problem !== null) return fail(problem);
    const late = clock.now() + INTERACTION_OUTPUT.waitFactor * first.manifest.session.outputWaitMs;
    const prompt = await this.#awaitPrompt({ deadline: ends, late, failures: IN_A_COMMAND });
    if (!prompt.ok) return prompt;
    const output = this.#output.begin();
    if (!transcript.add('Response', output, tool)) return fail(failure('transcriptFull'));
    return ok({ ...prompt.value, output });
  }

  /** E32. Also what is drained before a command is written, so that an old prompt cannot answer it (E29). */
  recordIdleOutput(): GovernedFailure | null {
    const { inbox, transcript } = this.#parts;
    for (let chunk = inbox.takeOutput(); chunk !== null; chunk = inbox.takeOutput()) {
      const taken = this.#output.takeIdle(chunk);
      if ('failure' in taken) return taken.failure;
      if (taken.text !== '' && !transcript.add('System', taken.text)) return failure('transcriptFull');
    }
    return null;
  }

  /** Ends the worker, once. Null when its removal is confirmed, or there never was one. */
  remove(): Promise<GovernedFailure | null> {
    this.#removal ??= removalOf(this.#worker);
    return this.#removal;
  }

  /** Gives up what was staged; call it when the worker is gone. */
  async discard(): Promise<GovernedFailure | null> {
    try {
      await this.#staging?.discard();
      return null;
    } catch (error) {
      return failure('stagingNotDiscarded', messageOf(error));
    }
  }

  #listen(worker: Worker): void {
    const { inbox, first } = this.#parts;
    worker.onOutput((bytes) => {
      // Not `slice`: a Buffer's would share its memory.
      const own = Uint8Array.from(bytes);
      if (inbox.output(own)) first.viewer?.push(own);
    });
    worker.ended.then(
      () => inbox.outputEnded({ readError: null }),
      (error) => inbox.outputEnded({ readError: messageOf(error) }),
    );
  }

  async #awaitFirstPrompt(deadline: number): Promise<GovernedFailure | null> {
    this.#output.begin();
    const prompt = await this.#awaitPrompt({ deadline, failures: WHILE_STARTING });
    // Recorded in any case: it says why a program did not get to its prompt (B19).
    const isRecorded = this.#parts.transcript.add('System', this.#output.begin());
    if (!prompt.ok) return prompt.error;
    return isRecorded ? null : failure('transcriptFull');
  }

  async #write(line: string, deadline: number): Promise<GovernedFailure | null> {
    const { inbox } = this.#parts;
    const written = this.#worker?.write(Buffer.from(line)) ?? Promise.reject(new Error('no worker'));
    const outcome = inbox.watch(
      written.then(
        () => null,
        (error) => failure('writeFailed', messageOf(error)),
      ),
    );
    const fact = await inbox.next('writing', { deadline });
    return fact === 'work' ? outcome : failure(IN_A_COMMAND[fact]);
  }

  #awaitPrompt(wait: Pick<PromptWait, 'deadline' | 'late' | 'failures'>) {
    const { clock, inbox, first } = this.#parts;
    const maxBytes = first.manifest.session.outputMaxBytes;
    return awaitPrompt({ ...wait, clock, inbox, output: this.#output, matcher: first.matcher, maxBytes });
  }
}

async function removalOf(worker: Worker | null): Promise<GovernedFailure | null> {
  if (worker === null) return null;
  const report = await withDeadline(
    worker.release().then(({ removed, reason }) => ({ removed, reason })),
    RELEASE_DEADLINE_MS,
    (reason) => ({ removed: false, reason: messageOf(reason) }),
  );
  return report.removed ? null : failure('removalUnconfirmed', report.reason);
}

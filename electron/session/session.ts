import type { Disposable } from '../../shared/disposable.ts';
import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import type { LocalNotice } from '../../shared/protocol/events.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { Profile } from '../../shared/settings/schema.ts';
import type { InputOrigin } from '../../shared/terminal/input-origin.ts';
import { DRAIN_DEADLINE_MS } from '../../shared/terminal/limits.ts';
import type { ReleaseCause } from '../../shared/terminal/outcome.ts';
import type { SandboxPosture } from '../../shared/terminal/posture.ts';
import type { Route, SessionState } from '../../shared/terminal/session-state.ts';
import type { TerminalSize } from '../../shared/terminal/size.ts';
import type { OutFolder, SandboxTerminal } from '../sandbox/engine.ts';
import { withDeadline } from './deadline.ts';
import { type EscapeCommand, escapeHelp } from './escape-sequences.ts';
import { OutputCredit } from './output-credit.ts';
import type { SessionRecording } from './recording.ts';
import { releaseTerminal } from './release-terminal.ts';
import { SessionInput } from './session-input.ts';
import {
  mayRead,
  refusalOfControl,
  refusalOfInput,
  type SessionEvent,
  transition,
} from './session-machine.ts';
import type { SessionSink } from './sink.ts';

/** Where a session's release is recorded (ST-24). Neither may throw. */
export interface ReleaseRecord {
  releasing(cause: ReleaseCause): void;
  closed(state: SessionState): void;
}

export interface SessionParts {
  readonly id: string;
  readonly profile: Profile;
  readonly terminal: SandboxTerminal;
  readonly sink: SessionSink;
  readonly releaseRecord: ReleaseRecord;
  /** Its transcript; null where none is kept. */
  readonly recording: SessionRecording | null;
}

/**
 * One interactive terminal of one sandbox: the only owner of its SandboxTerminal. Everything that happens to it runs
 * on the event loop, one thing at a time (ST-3); everything that waits is bounded.
 */
export class Session {
  readonly id: string;
  readonly profile: Profile;
  /** Resolves when the session has ended or needs attention, and that was recorded and told. Never rejects. */
  readonly closed: Promise<void>;

  readonly #terminal: SandboxTerminal;
  readonly #sink: SessionSink;
  readonly #releaseRecord: ReleaseRecord;
  readonly #recording: SessionRecording | null;
  readonly #input: SessionInput;
  readonly #credit = new OutputCredit();
  readonly #close: () => void;

  #state: SessionState = { kind: 'opening' };
  #diversion: { readonly cancelled: () => void } | null = null;
  #output: Disposable | null = null;
  #reading = true;

  /** Starts on the next turn of the event loop: whoever opened the session has told its client by then. */
  constructor({ id, profile, terminal, sink, releaseRecord, recording }: SessionParts) {
    this.id = id;
    this.profile = profile;
    this.#terminal = terminal;
    this.#sink = sink;
    this.#releaseRecord = releaseRecord;
    this.#recording = recording;
    this.#input = new SessionInput(terminal, profile.escapeCharacter, {
      command: (command) => this.#obey(command),
      taken: (bytes) => recording?.input(bytes),
      resized: (size) => recording?.resized(size),
      lost: () => this.#terminalLost(),
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#close = resolve;
    setImmediate(() => this.#start());
  }

  /** What the engine applied, and whether the session is recorded now. */
  get posture(): SandboxPosture {
    const stopped = this.#recording?.stopped ?? null;
    return {
      ...this.#terminal.posture,
      recorded: this.#recording !== null && stopped === null,
      ...(stopped !== null && { recordingStopped: stopped }),
    };
  }

  /** Null where there is none. */
  get outFolder(): OutFolder | null {
    return this.#terminal.outFolder;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Output bytes that the client has and has not parsed yet. */
  get unparsedBytes(): number {
    return this.#credit.unparsed;
  }

  /**
   * Takes input in order. Escape sequences act at once, whatever the sandbox or its transport does (ST-11). What is
   * refused was not taken: session-not-running, session-releasing, session-suspended, route-refuses-input,
   * input-queue-full. The bytes must not change afterwards.
   */
  input(origin: InputOrigin, bytes: Uint8Array): Result<void, TaggedError> {
    const refusal = refusalOfInput(this.#state);
    if (refusal !== null) return fail(refusal);
    const { result, rest } = this.#input.take(origin, bytes);
    // By then the session is suspended or in release: the rest is refused like any later input.
    return rest.length > 0 ? this.input(origin, rest) : result;
  }

  /**
   * Resolves when this size, or one asked for later, is in force (ST-9). Rejects with session-not-running,
   * session-releasing, resize-failed. When the session ends meanwhile there is nothing left to resize: no error (B04).
   */
  async resize(size: TerminalSize): Promise<Result<void, TaggedError>> {
    const refusal = refusalOfControl(this.#state);
    if (refusal !== null) return fail(refusal);
    const outcome = await this.#input.resize(size);
    if (outcome !== 'failed') return ok(undefined);
    return fail(taggedError('resize-failed', 'The sandbox did not take the new window size.', { ...size }));
  }

  /** Says in words what BREAK meant (ST-10). Rejects with session-not-running, session-releasing, break-not-supported. */
  async sendBreak(): Promise<Result<{ effect: string }, TaggedError>> {
    const refusal = refusalOfControl(this.#state);
    if (refusal !== null) return fail(refusal);
    try {
      const effect = await this.#terminal.sendBreak();
      if (effect !== null) return ok({ effect });
    } catch {
      return fail(taggedError('session-not-running', 'The terminal is gone.'));
    }
    return fail(taggedError('break-not-supported', `BREAK is not supported by ${this.posture.engine}.`));
  }

  /** As `~^Z` (ST-13): reading stops and input is refused until `resume`. Suspending twice is allowed. */
  suspend(): Result<void, TaggedError> {
    const refusal = refusalOfControl(this.#state);
    if (refusal !== null) return fail(refusal);
    this.#apply({ kind: 'suspended' });
    return ok(undefined);
  }

  /** Input typed from now on waits until `size` is in force (ST-13). Rejects as `resize` does; it has resumed anyway. */
  resume(size: TerminalSize): Promise<Result<void, TaggedError>> {
    const resized = this.resize(size);
    this.#apply({ kind: 'resumed' });
    return resized;
  }

  /**
   * The client has parsed `total` output bytes, counted from the session's start, and wants `ahead` more than that. Any
   * numbers are safe (DESIGN 3).
   */
  parsed(total: number, ahead?: number): void {
    this.#credit.parsed(total, ahead);
    this.#updateReading();
  }

  /**
   * Takes the terminal traffic away from the sandbox (ST-18): reading stops, input is refused. Dispose what it gives
   * to return. `cancelled` is called instead, before any later output, when the session ends first (ST-20, ST-21).
   */
  divert(route: Exclude<Route, 'sandbox'>, cancelled: () => void): Result<Disposable, TaggedError> {
    const refusal = refusalOfControl(this.#state);
    if (refusal !== null) return fail(refusal);
    if (!this.#apply({ kind: 'diverted', route })) {
      return fail(taggedError('route-refuses-input', 'The terminal traffic is diverted already.'));
    }
    const diversion = { cancelled };
    this.#diversion = diversion;
    return ok({
      dispose: () => {
        if (this.#diversion !== diversion) return;
        this.#diversion = null;
        this.#apply({ kind: 'returned' });
      },
    });
  }

  /** Begins the release (ST-24); `closed` tells its end. Rejects with session-releasing, session-not-running. */
  end(cause: ReleaseCause): Result<void, TaggedError> {
    const refusal = this.#state.kind === 'opening' ? null : refusalOfControl(this.#state);
    if (refusal !== null) return fail(refusal);
    this.#release(cause);
    return ok(undefined);
  }

  #start(): void {
    this.#apply({ kind: 'committed' });
    this.#recording?.onStopped((why) => this.#notice({ kind: 'recording-stopped', why }));
    this.#output = this.#terminal.onOutput((bytes) => this.#forwardOutput(bytes));
    this.#terminal.ended.then(
      () => this.end('program-ended'),
      () => this.end('terminal-lost'),
    );
  }

  #forwardOutput(bytes: Uint8Array): void {
    // Diverted, and output comes all the same: the program has ended and this is what its PTY still held (ST-21).
    this.#cancelDiversion();
    this.#credit.sent(bytes.length);
    this.#sink.output(bytes);
    this.#recording?.output(bytes);
    if (this.#credit.exhausted) this.#updateReading();
  }

  #obey(command: EscapeCommand): void {
    switch (command) {
      case 'disconnect':
        this.#release('escape');
        return;
      case 'suspend':
        this.#apply({ kind: 'suspended' });
        return;
      case 'help':
        this.#notice({ kind: 'escape-help', sequences: escapeHelp(this.profile.escapeCharacter ?? '') });
        return;
      case 'break':
        void this.sendBreak().then((sent) =>
          this.#notice({ kind: 'break', text: sent.ok ? sent.value.effect : sent.error.message }),
        );
    }
  }

  #notice(notice: LocalNotice): void {
    if (this.#state.kind !== 'running') return;
    this.#sink.notice(notice);
    this.#recording?.notice(notice);
  }

  /** A write failed. Normally because the program has just ended, which its outcome will tell. */
  #terminalLost(): void {
    void withDeadline(this.#terminal.ended, DRAIN_DEADLINE_MS, () => null).then(() =>
      this.end('terminal-lost'),
    );
  }

  #cancelDiversion(): void {
    const diversion = this.#diversion;
    if (diversion === null) return;
    this.#diversion = null;
    diversion.cancelled();
    this.#apply({ kind: 'returned' });
  }

  #release(cause: ReleaseCause): void {
    this.#cancelDiversion();
    const next = transition(this.#state, { kind: 'release-begun', cause });
    if (next === null) return;
    this.#releaseRecord.releasing(cause);
    this.#become(next);
    this.#input.dispose();
    void this.#finish();
  }

  async #finish(): Promise<void> {
    const released = await releaseTerminal(this.#terminal);
    this.#output?.dispose();
    const final = transition(this.#state, { kind: 'released', ...released });
    if (final !== null) {
      this.#releaseRecord.closed(final);
      this.#become(final);
    }
    this.#close();
  }

  /** False when the event does not apply now: then nothing has changed. */
  #apply(event: SessionEvent): boolean {
    const next = transition(this.#state, event);
    if (next === null) return false;
    this.#become(next);
    return true;
  }

  #become(state: SessionState): void {
    this.#state = state;
    // Told first: a terminal may deliver what it holds as soon as reading goes on.
    this.#sink.state(state);
    this.#recording?.state(state);
    this.#updateReading();
  }

  #updateReading(): void {
    const reading = mayRead(this.#state, this.#credit.exhausted);
    if (reading === this.#reading) return;
    this.#reading = reading;
    if (reading) this.#terminal.resume();
    else this.#terminal.pause();
  }
}

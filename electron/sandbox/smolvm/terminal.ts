import type WebSocket from 'ws';
import type { Disposable } from '../../../shared/disposable.ts';
import { toDisposable } from '../../../shared/disposable.ts';
import type { SmolvmSettings } from '../../../shared/settings/engine-settings.ts';
import { fieldName } from '../../../shared/settings/field-names.ts';
import type { Outcome, ReleaseReport } from '../../../shared/terminal/outcome.ts';
import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import { type TerminalSize, terminalSizeSchema } from '../../../shared/terminal/size.ts';
import type { SandboxIdentity, SandboxTerminal } from '../engine.ts';
import { type Ending, outcomeOf, parseExit, uncertain } from './ending.ts';
import { Expiry } from './expiry.ts';
import { KeptOutput } from './kept-output.ts';
import { SMOLVM_BYTES, type SmolvmTiming } from './limits.ts';
import { PacedInput } from './paced-input.ts';
import { endingOf } from './socket.ts';

export interface SmolvmTerminalParts {
  readonly identity: Extract<SandboxIdentity, { kind: 'machine' }>;
  readonly posture: SandboxPosture;
  readonly settings: SmolvmSettings;
  readonly timing: SmolvmTiming;
  /** Called once; `ended` resolves after what it gives, which must not reject. */
  readonly over: (ending: Ending) => Promise<void>;
}

/**
 * `exited`: the program's end was told, and only the end of the connection may follow. `closing`: this side has closed, and
 * waits a bounded time for the other one.
 */
type Phase =
  | { readonly kind: 'connecting' | 'open' | 'over' }
  | { readonly kind: 'exited'; readonly ending: Ending }
  | { readonly kind: 'closing'; readonly ending: Ending };

/**
 * One WebSocket to one program in a machine: the client rules of a terminal (section 8). Whatever happens has exactly one
 * ending, and nothing that comes after it is delivered.
 *
 * Paused, it stops reading once a quarter of what may wait is there: TCP and the server then hold the program back (ST-18).
 * But a machine that cannot get rid of its output does not look at its input either, so Ctrl-C would not reach a flood. When
 * there is input meanwhile it therefore reads on, as far as its bound allows, so that the machine gets its turn. If nobody
 * reads for `attachMs` even then, the session ends as `output_limit` rather than pretend that its input arrived. A program's
 * end behind output that is held back is learnt when that output is read.
 */
export class SmolvmTerminal implements SandboxTerminal {
  readonly identity: SmolvmTerminalParts['identity'];
  readonly posture: SandboxPosture;
  readonly outFolder = null;
  readonly ended: Promise<Outcome>;

  readonly #socket: WebSocket;
  readonly #parts: SmolvmTerminalParts;
  readonly #kept: KeptOutput;
  readonly #input: PacedInput;
  readonly #resolveEnded: (outcome: Outcome) => void;
  #phase: Phase = { kind: 'connecting' };
  #expiry: Expiry | null = null;
  #listener: ((bytes: Uint8Array) => void) | null = null;
  #paused = false;
  /** The socket is paused. */
  #held = false;
  /** Input was sent since output began to wait. */
  #inputBehindOutput = false;
  #stalled: NodeJS.Timeout | undefined;
  #closeTimer: NodeJS.Timeout | undefined;
  #sentBytes = 0;
  #bytesWhileClosing = 0;
  #release: Promise<ReleaseReport> | null = null;

  /** In the same turn of the event loop in which `socket` was made. */
  constructor(socket: WebSocket, parts: SmolvmTerminalParts) {
    const { settings, timing } = parts;
    this.identity = parts.identity;
    this.posture = parts.posture;
    this.#socket = socket;
    this.#parts = parts;
    this.#kept = new KeptOutput(settings.maxBufferBytes);
    this.#input = new PacedInput({
      maxPieceBytes: settings.maxInputBytes,
      paceMs: timing.paceMs,
      send: (piece) => this.#sendInput(piece),
    });
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.ended = promise;
    this.#resolveEnded = resolve;
    socket.once('open', () => this.#opened());
    socket.on('message', (data, isBinary) => this.#message(data as Buffer, isBinary));
    socket.on('error', (error) => this.#finish(endingOf(error)));
    socket.once('close', () => this.#closed());
  }

  onOutput(listener: (bytes: Uint8Array) => void): Disposable {
    this.#listener = listener;
    this.#expiry?.attached();
    this.#giveKept();
    return toDisposable(() => {
      if (this.#listener !== listener) return;
      this.#listener = null;
      this.#close(uncertain('terminal_consumer', 'Nobody reads its output any more.'));
    });
  }

  pause(): void {
    this.#paused = true;
    this.#updateReading();
  }

  resume(): void {
    this.#paused = false;
    this.#giveKept();
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#phase.kind !== 'open') return Promise.reject(gone());
    return bytes.length === 0 ? Promise.resolve() : this.#input.write(bytes);
  }

  async resize(size: TerminalSize): Promise<void> {
    const { cols, rows } = terminalSizeSchema.parse(size);
    if (this.#phase.kind !== 'open') return;
    const text = JSON.stringify({ type: 'resize', cols, rows });
    this.#expiry?.active();
    await this.#send(text, Buffer.byteLength(text));
  }

  async sendBreak(): Promise<null> {
    return null;
  }

  /** Rule 8. Only an exit that the server told confirms that the program is gone. */
  release(): Promise<ReleaseReport> {
    this.#release ??= this.#releaseOnce();
    return this.#release;
  }

  async #releaseOnce(): Promise<ReleaseReport> {
    const steps: ReleaseReport['steps'] = [];
    if (this.#phase.kind === 'open') {
      steps.push({ step: 'close', detail: `waiting up to ${this.#parts.settings.closeMs} ms for an exit` });
      this.#close(uncertain('terminal_close', 'Airlock closed the connection.'));
    }
    const outcome = await this.ended;
    if (outcome.kind === 'exited') {
      steps.push({ step: 'exit', detail: `the program ended with code ${outcome.code}` });
      return { removed: true, steps };
    }
    const reason = outcome.kind === 'unknown' ? outcome.reason : 'How the program ended is not known.';
    return { removed: false, steps, reason };
  }

  #opened(): void {
    this.#phase = { kind: 'open' };
    this.#expiry = new Expiry(this.#parts.settings, (tag, limitMs) =>
      this.#close(uncertain(tag, EXPIRED[tag](limitMs))),
    );
  }

  #message(data: Buffer, isBinary: boolean): void {
    const { kind } = this.#phase;
    if (kind === 'over' || kind === 'connecting') return;
    if (kind === 'exited')
      this.#finish(uncertain('protocol', 'smolvm sent more after the end of the program.'));
    else if (isBinary) this.#output(data);
    else this.#control(data);
  }

  #control(data: Buffer): void {
    if (data.length > SMOLVM_BYTES.controlText) {
      this.#finish(uncertain('protocol', 'smolvm sent a message that is too long.'));
      return;
    }
    const ending = parseExit(data.toString('utf8'));
    if (ending.kind === 'uncertain') this.#finish(ending);
    else this.#leaveOpen({ kind: 'exited', ending });
  }

  #output(data: Buffer): void {
    if (data.length === 0) return;
    this.#expiry?.active();
    this.#input.heard();
    if (this.#phase.kind === 'closing') this.#outputWhileClosing(data, this.#phase.ending);
    else if (this.#isRead && this.#kept.bytes === 0) this.#listener?.(data);
    else if (this.#kept.push(data)) this.#updateReading();
    else {
      const { maxBufferBytes } = this.#parts.settings;
      this.#finish(
        uncertain('output_limit', `More than ${maxBufferBytes} bytes of output waited to be read.`),
      );
    }
  }

  /** It is read whatever the pace of the page, to find the exit behind it; but not without end. */
  #outputWhileClosing(data: Buffer, ending: Ending): void {
    this.#bytesWhileClosing += data.length;
    if (this.#bytesWhileClosing > this.#parts.settings.maxBufferBytes) this.#finish(ending);
    else this.#listener?.(data);
  }

  get #isRead(): boolean {
    return this.#listener !== null && !this.#paused;
  }

  /** While it is read, or whatever the pace once the connection is on its way out (ST-21). */
  #giveKept(): void {
    const listener = this.#listener;
    if (listener === null) return;
    this.#kept.drain(listener, () => this.#isRead || this.#phase.kind !== 'open');
    if (this.#kept.bytes === 0) this.#inputBehindOutput = false;
    clearTimeout(this.#stalled);
    this.#stalled = undefined;
    this.#updateReading();
  }

  /** Holds the machine back, or lets it go on; see above. */
  #updateReading(): void {
    const hold = this.#phase.kind === 'open' && !this.#isRead && this.#keepsEnough;
    if (hold !== this.#held) {
      this.#held = hold;
      if (hold) this.#socket.pause();
      else this.#socket.resume();
    }
    const stalled = hold && this.#inputBehindOutput;
    if (!stalled) clearTimeout(this.#stalled);
    if (stalled === (this.#stalled !== undefined)) return;
    this.#stalled = stalled
      ? setTimeout(() => this.#nobodyReads(), this.#parts.settings.attachMs)
      : undefined;
  }

  get #keepsEnough(): boolean {
    const max = this.#parts.settings.maxBufferBytes;
    const reserve = Math.min(SMOLVM_BYTES.frame, max / 2);
    return this.#kept.bytes >= (this.#inputBehindOutput ? max - reserve : max / 4);
  }

  #nobodyReads(): void {
    const { attachMs } = this.#parts.settings;
    this.#finish(
      uncertain('output_limit', `Output waited for ${attachMs} ms with input behind it, and nobody read it.`),
    );
  }

  async #sendInput(piece: Uint8Array): Promise<void> {
    this.#expiry?.active();
    await this.#send(piece, piece.length);
    if (this.#isRead) return;
    this.#inputBehindOutput = true;
    this.#updateReading();
  }

  /** Resolves when the socket has it: whether the program gets it is not known. */
  #send(data: Uint8Array | string, bytes: number): Promise<void> {
    if (this.#phase.kind !== 'open') return Promise.reject(gone());
    const { settings, timing } = this.#parts;
    this.#sentBytes += bytes;
    if (this.#sentBytes > settings.maxRequestBytes) {
      const words = `More than ${settings.maxRequestBytes} bytes of input were to be sent (${fieldName('smolvm.maxRequestBytes')}).`;
      this.#finish(uncertain('output_limit', words));
      return Promise.reject(gone());
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#finish(uncertain('terminal', `smolvm took no input for ${timing.writeMs} ms.`)),
        timing.writeMs,
      );
      this.#socket.send(data, (error) => {
        clearTimeout(timer);
        if (error) reject(gone());
        else resolve();
      });
    });
  }

  /** The connection is lost, or was ended. After the program's end was told, that is how the server ends it. */
  #closed(): void {
    const phase = this.#phase;
    if (phase.kind === 'exited' || phase.kind === 'closing') this.#finish(phase.ending);
    else if (phase.kind === 'open') {
      this.#finish(uncertain('terminal', 'The connection ended without the program’s exit.'));
    }
  }

  /** Rule 8. A second close does nothing. */
  #close(ending: Ending): void {
    if (this.#phase.kind !== 'open') return;
    this.#leaveOpen({ kind: 'closing', ending });
    this.#socket.close();
  }

  /** No more input; what is still to come is waited for, but not for long. */
  #leaveOpen(phase: Extract<Phase, { ending: Ending }>): void {
    this.#phase = phase;
    this.#expiry?.dispose();
    this.#input.close(gone());
    this.#giveKept();
    this.#updateReading();
    clearTimeout(this.#closeTimer);
    this.#closeTimer = setTimeout(() => this.#finish(phase.ending), this.#parts.settings.closeMs);
  }

  #finish(ending: Ending): void {
    if (this.#phase.kind === 'over' || this.#phase.kind === 'connecting') return;
    this.#phase = { kind: 'over' };
    this.#expiry?.dispose();
    clearTimeout(this.#closeTimer);
    this.#input.close(gone());
    // Messages that were read already are emitted after this as well: the phase makes them nobody's.
    this.#socket.terminate();
    this.#giveKept();
    clearTimeout(this.#stalled);
    const outcome = outcomeOf(ending, this.identity.machine);
    void this.#parts.over(ending).then(() => this.#resolveEnded(outcome));
  }
}

const EXPIRED = {
  terminal_session: (limitMs: number) =>
    `The session was open for ${limitMs} ms, the longest that its profile allows.`,
  terminal_consumer: (limitMs: number) => `Nobody read its output for ${limitMs} ms.`,
  terminal_idle: (limitMs: number) => `There was neither input nor output for ${limitMs} ms.`,
} as const;

function gone(): Error {
  return new Error('The terminal has ended.');
}

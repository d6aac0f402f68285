import type { Disposable } from '../../shared/disposable.ts';
import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { InputOrigin } from '../../shared/terminal/input-origin.ts';
import type { TerminalSize } from '../../shared/terminal/size.ts';
import type { SandboxTerminal } from '../sandbox/engine.ts';
import { type EscapeCommand, INITIAL_ESCAPE_STATE, scanInput } from './escape-sequences.ts';
import { InputQueue } from './input-queue.ts';
import { ResizeCoalescer, type ResizeOutcome } from './resize-coalescer.ts';

export interface InputHandlers {
  /** A typed escape sequence; acted upon at once, before anything that is still queued. */
  readonly command: (command: EscapeCommand) => void;
  /** A person's input that the terminal gets. */
  readonly taken: (bytes: Uint8Array) => void;
  /** This size is in force. */
  readonly resized: (size: TerminalSize) => void;
  /** The terminal no longer takes input. */
  readonly lost: () => void;
}

export interface Taken {
  /** Fails with input-queue-full or, when the terminal is gone, session-not-running: what was refused was not sent. */
  readonly result: Result<void, TaggedError>;
  /** What follows a sequence that ends or suspends the session; nobody looked at it yet. */
  readonly rest: Uint8Array;
}

/**
 * The way from a client's keyboard to the terminal: escape sequences first, so that they work whatever the terminal
 * does (ST-11); then the bounded queue, in order with resizes (ST-9).
 */
export class SessionInput implements Disposable {
  readonly #handlers: InputHandlers;
  readonly #escapeByte: number | null;
  readonly #resizes: ResizeCoalescer;
  readonly #queue: InputQueue;
  #escape = INITIAL_ESCAPE_STATE;

  constructor(terminal: SandboxTerminal, escapeCharacter: string | null, handlers: InputHandlers) {
    this.#handlers = handlers;
    this.#escapeByte = escapeCharacter?.charCodeAt(0) ?? null;
    this.#resizes = new ResizeCoalescer(async (size) => {
      await terminal.resize(size);
      handlers.resized(size);
    });
    this.#queue = new InputQueue((bytes) => terminal.write(bytes), handlers.lost);
  }

  take(origin: InputOrigin, bytes: Uint8Array): Taken {
    const { state, effects, rest } = scanInput(this.#escape, this.#escapeByte, origin, bytes);
    // Typed keys move the state even when they are refused: Enter, tilde, dot ends a session that reads nothing.
    this.#escape = state;
    // Once the queue refused a part it refuses the later ones of the chunk too.
    let result: Result<void, TaggedError> = ok(undefined);
    for (const effect of effects) {
      if (effect.kind !== 'forward') this.#handlers.command(effect.kind);
      else result = this.#forward(origin, effect.bytes);
    }
    return { result, rest };
  }

  resize(size: TerminalSize): Promise<ResizeOutcome> {
    return this.#resizes.request(size);
  }

  dispose(): void {
    this.#queue.dispose();
    this.#resizes.dispose();
  }

  #forward(origin: InputOrigin, bytes: Uint8Array): Result<void, TaggedError> {
    switch (this.#queue.push(bytes, this.#resizes.pending)) {
      case 'taken':
        // What the terminal answers by itself nobody typed.
        if (origin !== 'reply') this.#handlers.taken(bytes);
        return ok(undefined);
      case 'full':
        return fail(
          taggedError(
            'input-queue-full',
            'The program does not read its input; this was not sent. Try again later.',
          ),
        );
      case 'closed':
        return fail(taggedError('session-not-running', 'The terminal is gone; this was not sent.'));
    }
  }
}

import type { Terminal } from '@xterm/xterm';
import type { Emitter } from '../../shared/emitter.ts';
import type { InputOrigin } from '../../shared/terminal/input-origin.ts';
import { HELD_REPLIES_MAX, TYPED_AHEAD_MAX_BYTES } from '../../shared/terminal/limits.ts';
import { framePaste, planPaste } from '../../shared/terminal/paste.ts';
import type { TerminalInputOrigin } from './input-origin.ts';
import type { SessionLink } from './session-link.ts';
import type { TerminalEvents } from './terminal-events.ts';

/**
 * `idle` before the first session, `ended` after one: nothing goes anywhere. `opening`: what is typed waits for the session.
 * `held`: the session is suspended. `watched`: a governed session, which takes commands from its bar alone; not even the
 * terminal's own replies reach it.
 */
type InputState = 'idle' | 'opening' | 'live' | 'held' | 'watched' | 'ended';

/** Who gives the session its input: a person through this terminal, or a governed session's command bar. */
export type InputMode = 'driven' | 'watched';

/** Decides where a terminal's input goes, and says so to the person when it goes nowhere (ST-7, ST-13, B32). */
export class SessionInput {
  readonly #terminal: Terminal;
  readonly #events: Emitter<TerminalEvents>;
  #state: InputState = 'idle';
  #link: Pick<SessionLink, 'send'> | null = null;
  /** What xterm answered while input was held; a program waits for it. */
  #heldReplies: Uint8Array[] = [];
  /** Typed while the session was opening. */
  #typedAhead: Uint8Array[] = [];

  constructor(terminal: Terminal, events: Emitter<TerminalEvents>) {
    this.#terminal = terminal;
    this.#events = events;
    this.#enter('idle');
  }

  get isLive(): boolean {
    return this.#state === 'live';
  }

  /** A session is being opened: its person types on, as into any terminal. Then `begin` or `end`. */
  opening(): void {
    this.#enter('opening');
  }

  begin(link: Pick<SessionLink, 'send'>, mode: InputMode = 'driven'): void {
    this.#link = link;
    this.#enter(mode === 'driven' ? 'live' : 'watched');
    for (const bytes of this.#typedAhead.splice(0)) if (mode === 'driven') this.#send('typed', bytes);
  }

  /** While held, keys and pastes go nowhere and replies wait. */
  hold(held: boolean): void {
    if (this.#state !== 'live' && this.#state !== 'held') return;
    this.#enter(held ? 'held' : 'live');
    if (!held) for (const reply of this.#heldReplies.splice(0)) this.#link?.send('reply', reply);
  }

  end(): void {
    this.#heldReplies = [];
    this.#typedAhead = [];
    this.#enter('ended');
  }

  fromTerminal(origin: TerminalInputOrigin, bytes: Uint8Array): void {
    if (origin === 'typed' && this.#state === 'opening') this.#keepTyped(bytes);
    else if (origin === 'typed') this.#send('typed', bytes);
    else if (this.#state === 'live') this.#link?.send('reply', bytes);
    else if (this.#state === 'held' && this.#heldReplies.length < HELD_REPLIES_MAX)
      this.#heldReplies.push(bytes);
  }

  /** Cleans and sends a text as a paste, asks first (`pasteNeedsConfirmation`) or says why not (`refused`). */
  paste(raw: string, confirmMultiline: boolean): void {
    if (!this.#isTaken()) return;
    const bracketed = this.#terminal.modes.bracketedPasteMode;
    const plan = planPaste(raw, { bracketed, confirmMultiline });
    if (plan.kind === 'refused') this.#events.fire('refused', plan.reason);
    if (plan.kind === 'send') this.#sendPaste(plan.text);
    if (plan.kind === 'ask') {
      const accept = () => this.#sendPaste(plan.question.text);
      this.#events.fire('pasteNeedsConfirmation', { ...plan.question, accept });
    }
  }

  /** Framed for what the program asks for by now: while a person reads the question it may have changed. */
  #sendPaste(text: string): void {
    this.#send('paste', framePaste(text, this.#terminal.modes.bracketedPasteMode));
    this.#terminal.scrollToBottom();
    this.#terminal.clearSelection();
  }

  #keepTyped(bytes: Uint8Array): void {
    const kept = this.#typedAhead.reduce((sum, { length }) => sum + length, 0);
    if (kept + bytes.length <= TYPED_AHEAD_MAX_BYTES) this.#typedAhead.push(bytes);
    else this.#events.fire('refused', 'The session is still opening. The last key was not kept.');
  }

  #send(origin: InputOrigin, bytes: Uint8Array): void {
    if (!this.#isTaken()) return;
    const sent = this.#link?.send(origin, bytes);
    if (sent?.ok === false) this.#events.fire('refused', sent.error.message);
  }

  /** Whether what a person types or pastes goes to a session; says so when not. */
  #isTaken(): boolean {
    if (this.#state === 'held') this.#events.fire('heldInput', undefined);
    else if (this.#state === 'watched')
      this.#events.fire(
        'refused',
        'This terminal is watched, not typed into. Commands go through the bar below.',
      );
    else if (this.#state === 'opening')
      this.#events.fire('refused', 'The session is still opening. Paste again when it runs.');
    else if (this.#state !== 'live') this.#events.fire('refused', 'No session runs here. Nothing was sent.');
    return this.#state === 'live';
  }

  #enter(state: InputState): void {
    this.#state = state;
    this.#terminal.options.disableStdin = state === 'idle' || state === 'ended';
  }
}

import type { Emitter } from '../../shared/emitter.ts';
import {
  type ClipboardRequest,
  type ClipboardWritePolicy,
  decideClipboardWrite,
} from '../../shared/terminal/clipboard-policy.ts';
import { writeClipboard } from './clipboard.ts';
import type { TerminalEvents } from './terminal-events.ts';

/** Carries out what a program may do with the clipboard: nothing, ask the person, or write (B13). */
export class ProgramClipboard {
  /** The profile's policy while its session lives. */
  policy: ClipboardWritePolicy = 'off';
  readonly #events: Emitter<TerminalEvents>;
  readonly #focused: () => boolean;

  constructor(events: Emitter<TerminalEvents>, focused: () => boolean) {
    this.#events = events;
    this.#focused = focused;
  }

  handle(request: ClipboardRequest): void {
    if (request.kind !== 'write') return;
    const { text } = request;
    const decision = decideClipboardWrite(this.policy, this.#focused());
    if (decision.kind === 'ask') {
      this.#events.fire('clipboardWriteRequested', { text, accept: () => writeClipboard(text) });
    }
    if (decision.kind === 'write') void this.#write(text);
  }

  async #write(text: string): Promise<void> {
    const refused = await writeClipboard(text);
    if (refused === null) this.#events.fire('clipboardWritten', { chars: text.length });
  }
}

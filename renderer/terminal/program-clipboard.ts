import type { Disposable } from '../../shared/disposable.ts';
import type { Emitter } from '../../shared/emitter.ts';
import {
  type ClipboardRequest,
  type ClipboardWritePolicy,
  decideClipboardWrite,
} from '../../shared/terminal/clipboard-policy.ts';
import { CLIPBOARD_WRITE_MIN_INTERVAL_MS } from '../../shared/terminal/limits.ts';
import { writeClipboard } from './clipboard.ts';
import type { TerminalEvents } from './terminal-events.ts';
import { Throttle } from './throttle.ts';

/** Carries out what a program may do with the clipboard: nothing, ask the person, or write (B13). */
export class ProgramClipboard implements Disposable {
  /** The profile's policy while its session lives. */
  policy: ClipboardWritePolicy = 'off';
  readonly #events: Emitter<TerminalEvents>;
  readonly #focused: () => boolean;
  readonly #writes = new Throttle<string>(CLIPBOARD_WRITE_MIN_INTERVAL_MS, (text) => void this.#write(text));

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
    if (decision.kind === 'write') this.#writes.offer(text);
  }

  dispose(): void {
    this.#writes.dispose();
  }

  /** What had to wait is written only where it still may be. */
  async #write(text: string): Promise<void> {
    if (decideClipboardWrite(this.policy, this.#focused()).kind !== 'write') return;
    const refused = await writeClipboard(text);
    if (refused === null) this.#events.fire('clipboardWritten', { chars: text.length });
  }
}

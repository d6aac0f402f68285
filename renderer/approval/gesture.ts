import { APPROVAL } from '../../shared/governed/limits.ts';

/**
 * A pointer that goes down on Approve. `focusedForMs`: how long this document has had the focus; `overForMs`: how long the
 * pointer has been over the button; null when neither. `at`: milliseconds of a steady clock.
 */
export interface Press {
  readonly trusted: boolean;
  readonly primary: boolean;
  readonly button: number;
  readonly pointerId: number;
  readonly focusedForMs: number | null;
  readonly overForMs: number | null;
  readonly at: number;
}

/** A click on Approve. One that a key makes has `detail` 0. */
export interface Click {
  readonly trusted: boolean;
  readonly detail: number;
  readonly pointerId: number;
  readonly at: number;
}

export type Verdict =
  | { readonly kind: 'approve' }
  /** Not deliberate enough; `hint` says what to do, null when nothing needs saying. */
  | { readonly kind: 'refused'; readonly hint: string | null };

const AGAIN = 'That click only came back to this page. Press Approve once more.';
const HOLD = 'That press came as the pointer arrived. Press once more, or press and hold.';
const KEYS = 'Keys do not press Approve. Type the word in the field beside it.';

/**
 * Approving by pointer: pressed and released on the button, by the person's own pointer, in a document that had the focus
 * before, while the button was armed all along. Keys make clicks without a press, so Enter, Space, access keys and
 * anything held down never approve; neither does the click that brings the focus here (DESIGN 6), nor the second of two that
 * opened this window under the pointer: a press counts at once only when the pointer was on the button before, and else only
 * when it is held.
 */
export class PointerGesture {
  #pressed: Press | null = null;
  #hint: string | null = null;

  press(press: Press, armed: boolean): void {
    const deliberate = press.trusted && press.primary && press.button === 0 && armed;
    const settled = press.focusedForMs !== null && press.focusedForMs >= APPROVAL.settleMs;
    this.#pressed = deliberate && settled ? press : null;
    this.#hint = deliberate && !settled ? AGAIN : null;
  }

  /** The pointer was taken away, or the page lost the focus, or Approve is no longer armed. */
  cancel(): void {
    this.#pressed = null;
    this.#hint = null;
  }

  click(click: Click, armed: boolean): Verdict {
    const pressed = this.#pressed;
    const hint = this.#hint;
    this.cancel();
    if (click.detail === 0) return { kind: 'refused', hint: KEYS };
    if (!click.trusted || !armed || pressed === null || pressed.pointerId !== click.pointerId) {
      return { kind: 'refused', hint };
    }
    const wasThere = pressed.overForMs !== null && pressed.overForMs >= APPROVAL.hoverMs;
    const held = click.at - pressed.at >= APPROVAL.holdMs;
    return wasThere || held ? { kind: 'approve' } : { kind: 'refused', hint: HOLD };
  }
}

/** The word that approves by keyboard. */
export const APPROVE_WORD = 'approve';

/** One change of the field for the word. `repeated`: the key that made it is held down. */
export interface Typed {
  readonly trusted: boolean;
  readonly inputType: string;
  readonly data: string | null;
  readonly repeated: boolean;
}

/**
 * Approving by keyboard: the word, typed letter by letter while Approve is armed. A paste, a drop, a completion, a held
 * key or any other letter empties the field. There is no key that finishes it, so none that is held can.
 */
export function typeWord(word: string, typed: Typed, armed: boolean): string {
  if (!armed || !typed.trusted) return '';
  if (typed.inputType === 'deleteContentBackward') return word.slice(0, -1);
  if (typed.inputType !== 'insertText' || typed.repeated || typed.data?.length !== 1) return '';
  const next = word + typed.data.toLowerCase();
  return APPROVE_WORD.startsWith(next) ? next : '';
}

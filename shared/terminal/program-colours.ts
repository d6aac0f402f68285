import type { Disposable } from '../disposable.ts';

/** 0 to 255 of the palette, then foreground, background and cursor. */
const FOREGROUND = 256;
/** OSC that sets each of the colours that are not of the palette, in the order of their indexes. */
const SPECIAL = [10, 11, 12] as const;

/** Private parts of xterm 6.0.0, headless or not, which is pinned: program-colours.test.ts fails where a name or its meaning changes. */
interface Core {
  readonly _inputHandler: {
    onColor(listener: (requests: readonly ColourRequest[]) => void): Disposable;
    readonly _onColor: { fire(requests: readonly ColourRequest[]): void };
  };
}

interface SetRequest {
  readonly type: typeof SET;
  readonly index: number;
  /** Red, green, blue, 0 to 255. */
  readonly color: readonly [number, number, number];
}
type ColourRequest =
  | SetRequest
  | { readonly type: typeof REPORT; readonly index: number }
  /** Without an index: all of the palette. */
  | { readonly type: typeof RESTORE; readonly index?: number };
const REPORT = 0;
const SET = 1;
const RESTORE = 2;

/** Back to the theme's colours, all of them. A reset of the terminal (RIS) leaves those that a program set. */
export const THEME_COLOURS = '\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\';

/**
 * The colours that a program has set in place of the theme's (OSC 4, 10, 11, 12) and not given back (OSC 104, 110, 111, 112):
 * at most 259. xterm keeps them in its theme, where nobody can tell them from others, and loses them with another theme.
 */
export class ProgramColours implements Disposable {
  readonly #input: Core['_inputHandler'];
  /** By index. */
  readonly #set = new Map<number, SetRequest>();
  readonly #watching: Disposable;

  constructor(terminal: object) {
    this.#input = (terminal as { _core: Core })._core._inputHandler;
    this.#watching = this.#input.onColor((requests) => {
      for (const request of requests) this.#take(request);
    });
  }

  /** Output that sets them in a terminal that has the theme's: at most 7 KiB. Empty when there are none. */
  get sequence(): string {
    const inOrder = [...this.#set.values()].sort((a, b) => a.index - b.index);
    return inOrder.map(({ index, color }) => `\x1b]${operation(index)};${hex(color)}\x1b\\`).join('');
  }

  /** After the terminal got another theme, or was opened: only then has it colours that can be set. */
  applyAgain(): void {
    if (this.#set.size > 0) this.#input._onColor.fire([...this.#set.values()]);
  }

  dispose(): void {
    this.#watching.dispose();
  }

  #take(request: ColourRequest): void {
    if (request.type === SET) this.#set.set(request.index, request);
    else if (request.type === RESTORE) this.#restore(request.index);
  }

  #restore(index: number | undefined): void {
    if (index !== undefined) this.#set.delete(index);
    else for (const each of [...this.#set.keys()]) if (each < FOREGROUND) this.#set.delete(each);
  }
}

function operation(index: number): string {
  return index < FOREGROUND ? `4;${index}` : `${SPECIAL[index - FOREGROUND]}`;
}

function hex(channels: readonly number[]): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

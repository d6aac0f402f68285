/** How many bytes of a terminal's end are kept to recognise a prompt. */
const TAIL_BYTES = 32;
/** A shell prompt as the very end of the output, attributes after it allowed. */
const PROMPT = /[$#>] (?:\x1b\[[0-9;?]*[a-zA-Z])*$/;

interface Waiter {
  readonly total: number;
  readonly resolve: (at: number) => void;
}

/**
 * Watches one terminal from outside: bytes received from the host and bytes that its xterm.js has parsed. Times are
 * `performance.now()` of the page, milliseconds.
 */
export class Gauge {
  received = 0;
  parsed = 0;
  /** Bytes that the terminal refused; they count as parsed, so that waiting ends. */
  lost = 0;
  #tail = '';
  #waiters: Waiter[] = [];
  #onPrompt: ((total: number) => void) | null = null;

  noteReceived(bytes: Uint8Array): void {
    this.received += bytes.length;
    const end = String.fromCharCode(...bytes.subarray(-TAIL_BYTES));
    this.#tail = (this.#tail + end).slice(-TAIL_BYTES);
    if (this.#onPrompt !== null && PROMPT.test(this.#tail)) {
      const found = this.#onPrompt;
      this.#onPrompt = null;
      found(this.received);
    }
  }

  noteParsed(total: number): void {
    this.parsed = total;
    if (this.#waiters.length === 0) return;
    const at = performance.now();
    const due = this.#waiters.filter((waiter) => waiter.total <= total);
    this.#waiters = this.#waiters.filter((waiter) => waiter.total > total);
    for (const waiter of due) waiter.resolve(at);
  }

  /** Resolves with the time at which `total` bytes since the start were parsed. */
  parsedAt(total: number): Promise<number> {
    if (this.parsed >= total) return Promise.resolve(performance.now());
    return new Promise((resolve) => this.#waiters.push({ total, resolve }));
  }

  /** Resolves with the time at which the next prompt to arrive was parsed. */
  async promptParsedAt(): Promise<number> {
    const total = await new Promise<number>((resolve) => {
      this.#onPrompt = resolve;
    });
    return this.parsedAt(total);
  }

  /** Whether the last thing that arrived is a prompt, and it is parsed. */
  atPrompt(): boolean {
    return this.parsed === this.received && PROMPT.test(this.#tail);
  }

  /** Resolves with the time at which the frame that shows the next prompt was handed to the compositor. */
  async promptShownAt(): Promise<number> {
    await this.promptParsedAt();
    await new Promise(requestAnimationFrame);
    return afterThisFrame();
  }
}

/** Resolves in the first task after the frame that is being drawn. */
function afterThisFrame(): Promise<number> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve(performance.now());
    channel.port2.postMessage(null);
  });
}

/** What a page under measurement offers to the driver, as `window.bench`. */
export interface BenchPage {
  /** The gauge of the newest terminal. */
  readonly gauge: Gauge;
  /** When the last key went down, from the event itself: waiting for a busy page counts. */
  readonly lastKeyAt: number;
  /** Resolves with the time at which the first prompt of the next terminal to open is on the screen. */
  nextTerminalPromptShownAt(): Promise<number>;
  /** Sizes asked for so far, newest last. */
  readonly sizes: readonly { cols: number; rows: number }[];
}

/** Keeps the time of the newest keydown of the page. */
export function watchKeys(onKey: (at: number) => void): void {
  addEventListener('keydown', (event) => onKey(event.timeStamp), { capture: true });
}

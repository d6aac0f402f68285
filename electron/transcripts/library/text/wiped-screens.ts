import { WIPED_LINES } from '../../../../shared/transcripts/limits.ts';
import type { FinalLine } from './logical-lines.ts';

/** Texts that are known as kept already. */
const RECENT_MAX = 2_000;

/**
 * What full-screen programs showed and nothing scrolled away: kept when it is left and when at least half of it is new.
 * Numbers that count up are nothing new, and a frame that differs in one line does not count as another screen.
 */
export class WipedScreens {
  readonly #sink: (line: FinalLine) => void;
  readonly #recent = new Set<string>();
  #kept: ReadonlySet<string> = new Set();
  #before: readonly FinalLine[] = [];
  #allowance: number = WIPED_LINES.burst;
  #allowanceMs = 0;

  constructor(sink: (line: FinalLine) => void) {
    this.#sink = sink;
  }

  /** The screen as it is now. */
  look(screen: readonly FinalLine[], atMs: number): void {
    const shown = screen.filter(({ text }) => text !== '');
    const fresh = shown.filter(({ text }) => !this.#kept.has(shapeOf(text))).length;
    if (fresh > 0 && fresh * 2 >= shown.length) {
      // What was added to the last screen since it was kept.
      this.#keep(this.#before, atMs);
      this.#keep(shown, atMs);
      this.#kept = new Set(shown.map(({ text }) => shapeOf(text)));
    }
    this.#before = shown;
  }

  /** The screen is wiped. */
  leave(screen: readonly FinalLine[], atMs: number): void {
    this.#keep(this.#before, atMs);
    this.#keep(screen, atMs);
    this.#before = [];
    this.#kept = new Set();
  }

  /** Of a screen, what leaving it would keep. */
  unkept(screen: readonly FinalLine[]): FinalLine[] {
    return screen.filter(({ text }) => text !== '' && !this.#recent.has(text));
  }

  /** Whether a line may be kept now: what draws frames runs out of it. */
  allows(atMs: number): boolean {
    const refill = ((atMs - this.#allowanceMs) / 1_000) * WIPED_LINES.perSecond;
    this.#allowance = Math.min(WIPED_LINES.burst, this.#allowance + refill);
    this.#allowanceMs = atMs;
    if (this.#allowance < 1) return false;
    this.#allowance -= 1;
    return true;
  }

  #keep(lines: readonly FinalLine[], atMs: number): void {
    for (const line of lines) {
      if (line.text === '' || this.#recent.has(line.text) || !this.allows(atMs)) continue;
      if (this.#recent.size >= RECENT_MAX) this.#recent.clear();
      this.#recent.add(line.text);
      this.#sink(line);
    }
  }
}

function shapeOf(text: string): string {
  return text.replace(/\d+/g, '0');
}

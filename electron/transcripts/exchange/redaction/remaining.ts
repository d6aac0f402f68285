import type { Disposable } from '../../../../shared/disposable.ts';
import type { TerminalSize } from '../../../../shared/terminal/size.ts';
import { REDACTION } from '../../../../shared/transcripts/limits.ts';
import type { ScreenBuffer } from '../../library/terminal/internals.ts';
import { ReplayTerminal } from '../../library/terminal/replay-terminal.ts';
import { isMasked, maskedForm } from './masked-form.ts';
import type { Removed } from './redactor.ts';
import type { Rule } from './rules.ts';

/** A screen that stands still for this long is looked at, and one after this much output: what comes and goes between is not seen. */
const STILL_MS = 50;
const LOOK_EVERY_CHARS = 512;

/** Plays a redacted recording and looks at its screens for what the rules still find. Holds one terminal. */
export class ScreenCheck implements Disposable {
  readonly #rules: readonly Rule[];
  readonly #terminal: ReplayTerminal;
  readonly #found = new Map<string, Removed>();
  #buffer: ScreenBuffer;
  /** Rows from the top of the buffer that were looked at when they left the screen. */
  #seenRows = 0;
  #trimming: Disposable;
  #looked = '';
  #atMs = 0;
  #unseen = 0;

  constructor(size: TerminalSize, rules: readonly Rule[]) {
    this.#rules = rules;
    this.#terminal = new ReplayTerminal(size);
    this.#buffer = this.#terminal.active;
    this.#trimming = this.#watchTrimming();
  }

  write(text: string, atMs: number): void {
    if (atMs - this.#atMs >= STILL_MS) this.#look();
    this.#atMs = atMs;
    for (let at = 0; at < text.length; at += LOOK_EVERY_CHARS) {
      const piece = text.slice(at, at + LOOK_EVERY_CHARS);
      this.#terminal.write(piece);
      this.#unseen += piece.length;
      if (this.#unseen >= LOOK_EVERY_CHARS) this.#look();
    }
  }

  resize(size: TerminalSize, atMs: number): void {
    this.#look();
    this.#atMs = atMs;
    this.#terminal.resize(size);
    this.#seenRows = Math.min(this.#seenRows, this.#buffer.ybase);
    this.#unseen += 1;
  }

  /** In order of time, each text of a rule once. */
  end(): Removed[] {
    this.#look();
    return [...this.#found.values()];
  }

  dispose(): void {
    this.#trimming.dispose();
    this.#terminal.dispose();
  }

  #look(): void {
    if (this.#unseen === 0) return;
    this.#unseen = 0;
    this.#followBuffer();
    const { lines, ybase } = this.#buffer;
    const text = textOf(this.#buffer, Math.min(this.#seenRows, ybase), lines.length);
    this.#seenRows = ybase;
    if (text === this.#looked) return;
    this.#looked = text;
    for (const rule of this.#rules) {
      for (const { start, end } of rule.find(text)) this.#note(rule, text.slice(start, end));
    }
  }

  #note(rule: Rule, text: string): void {
    const key = `${rule.name}\0${text}`;
    if (isMasked(text) || this.#found.has(key) || this.#found.size >= REDACTION.listedMax) return;
    this.#found.set(key, { rule: rule.name, atMs: this.#atMs, shown: maskedForm(text) });
  }

  /** Full-screen programs draw in another buffer, and a reset makes new ones. */
  #followBuffer(): void {
    const { active } = this.#terminal;
    if (active === this.#buffer) return;
    this.#buffer = active;
    this.#seenRows = active.ybase;
    this.#trimming.dispose();
    this.#trimming = this.#watchTrimming();
  }

  #watchTrimming(): Disposable {
    return this.#buffer.lines.onTrim((count) => {
      this.#seenRows = Math.max(0, this.#seenRows - count);
    });
  }
}

/** Rows as lines: what was wrapped at the edge is one line. */
function textOf({ lines }: ScreenBuffer, from: number, to: number): string {
  let start = from;
  while (start > 0 && lines.get(start)?.isWrapped === true) start -= 1;
  let text = '';
  for (let row = start; row < to; row += 1) {
    const line = lines.get(row);
    if (line === undefined) continue;
    const goesOn = lines.get(row + 1)?.isWrapped === true;
    text += line.translateToString(!goesOn) + (goesOn ? '' : '\n');
  }
  return text.toWellFormed();
}

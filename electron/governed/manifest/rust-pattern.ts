import { RRegex } from 'rregex';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { shown } from './text.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The syntax tree of a pattern, as the engine gives it. */
export type PatternSyntax = ReturnType<RRegex['syntax']>;

/**
 * A Rust regular expression, compiled once. Matching takes time linear in the text. `free` gives its memory back early; a
 * pattern that is dropped is freed as well.
 */
export class RustPattern {
  readonly #raw: RRegex;
  readonly #whole: RRegex;

  private constructor(raw: RRegex, whole: RRegex) {
    this.#raw = raw;
    this.#whole = whole;
  }

  /**
   * Compiles the pattern alone first, and only then anchored: `a)|(b` is an error by itself, and anchored it would be a pattern
   * whose second half escapes the anchors (B23). Fails with the engine's own reason.
   */
  static compile(source: string): Result<RustPattern, string> {
    let raw: RRegex | undefined;
    try {
      raw = new RRegex(source);
      return ok(new RustPattern(raw, new RRegex(`^(?:${source})$`)));
    } catch (error) {
      raw?.free();
      return fail(reasonOf(error));
    }
  }

  /** True when the pattern matches all of `text`, from its first to its last character. */
  matchesWhole(text: string): boolean {
    return this.#whole.isMatch(text);
  }

  /** True when the pattern matches somewhere in `text`. */
  matchesPart(text: string): boolean {
    return this.#raw.isMatch(text);
  }

  /** Where the pattern matches, from left to right and not overlapping: UTF-16 offsets. `text` is well-formed. */
  find(text: string): Span[] {
    const matches = this.#raw.findAll(text);
    // The engine counts bytes of UTF-8.
    return isAscii(text) ? matches.map(({ start, end }) => ({ start, end })) : inUtf16(text, matches);
  }

  /** What the named group matched when the pattern matches all of `text`; null otherwise. */
  group(text: string, name: string): string | null {
    const names: Record<string, { value: string }> | undefined = this.#whole.captures(text)?.name;
    return names !== undefined && Object.hasOwn(names, name) ? (names[name]?.value ?? null) : null;
  }

  hasGroup(name: string): boolean {
    return this.#raw.captureNames().includes(name);
  }

  get syntax(): PatternSyntax {
    return this.#raw.syntax();
  }

  free(): void {
    this.#raw.free();
    this.#whole.free();
  }
}

function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text);
}

/** `spans` rise. */
function inUtf16(text: string, spans: readonly Span[]): Span[] {
  let at = 0;
  let bytes = 0;
  const offset = (target: number) => {
    while (bytes < target && at < text.length) {
      const code = text.charCodeAt(at);
      // Each half of a pair stands for two of its four bytes, so that a target is never inside one.
      bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3;
      at += 1;
    }
    return at;
  };
  return spans.map(({ start, end }) => ({ start: offset(start), end: offset(end) }));
}

/** The engine draws the pattern over several lines, with the reason on the last one: `error: unclosed group`. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const reason = text.trimEnd().split('\n').at(-1) ?? text;
  return shown(reason.replace(/^error: /, ''));
}

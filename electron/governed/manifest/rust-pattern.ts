import type { RRegex } from 'rregex';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { discardPatternEngine, type PatternEngine, patternEngine } from './pattern-engine.ts';
import { shown } from './text.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The syntax tree of a pattern, as the engine gives it. */
export type PatternSyntax = ReturnType<RRegex['syntax']>;

/**
 * A Rust regular expression. Matching takes time linear in the text; compiling may take a second and tens of MiB, and is done
 * once. `free` gives the memory back early; a pattern that is dropped is freed as well.
 */
export class RustPattern {
  readonly #source: string;
  readonly #engine: PatternEngine;
  #compiledRaw: RRegex | undefined;
  #compiledWhole: RRegex | undefined;

  private constructor(source: string, engine: PatternEngine) {
    this.#source = source;
    this.#engine = engine;
  }

  /**
   * Compiles the pattern alone first, and only then anchored: `a)|(b` is an error by itself, and anchored it would be a pattern
   * whose second half escapes the anchors (B23). Fails with the engine's own reason.
   */
  static compile(source: string, engine = patternEngine()): Result<RustPattern, string> {
    const pattern = new RustPattern(source, engine);
    try {
      pattern.#raw;
      pattern.#whole;
      return ok(pattern);
    } catch (error) {
      pattern.free();
      return fail(reasonOf(error));
    }
  }

  /** One that has been found to compile; each form of it is compiled when it is first needed. */
  static known(source: string, engine: PatternEngine): RustPattern {
    return new RustPattern(source, engine);
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
    this.#compiledRaw?.free();
    this.#compiledWhole?.free();
  }

  get #raw(): RRegex {
    this.#compiledRaw ??= compiled(this.#source, this.#engine);
    return this.#compiledRaw;
  }

  get #whole(): RRegex {
    this.#compiledWhole ??= compiled(`^(?:${this.#source})$`, this.#engine);
    return this.#compiledWhole;
  }
}

function compiled(source: string, engine: PatternEngine): RRegex {
  try {
    return new engine.RRegex(source);
  } catch (error) {
    const isOwn = !(error instanceof WebAssembly.RuntimeError || error instanceof RangeError);
    if (isOwn) throw error;
    discardPatternEngine(engine);
    throw new Error('it takes more memory to compile than there is');
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

import { type PatternEngine, patternEngine } from './pattern-engine.ts';
import { RustPattern } from './rust-pattern.ts';

/** All patterns of the engine that is in use, by source. */
let kept: { readonly engine: PatternEngine; readonly patterns: Map<string, RustPattern> } | null = null;

/**
 * A pattern of a loaded manifest, compiled when it is first needed, and once for all sessions. Nobody holds on to it: it goes with
 * its engine.
 */
export function patternOf(source: string): RustPattern {
  const engine = patternEngine();
  if (kept?.engine !== engine) kept = { engine, patterns: new Map() };
  const pattern = kept.patterns.get(source) ?? RustPattern.known(source, engine);
  kept.patterns.set(source, pattern);
  return pattern;
}

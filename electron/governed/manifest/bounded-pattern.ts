import { PATTERN_MAX_BYTES } from '../../../shared/governed/limits.ts';
import { fail, type Result } from '../../../shared/result.ts';
import type { Findings } from './findings.ts';
import { patternEngine } from './pattern-engine.ts';
import { RustPattern } from './rust-pattern.ts';

/** Bytes of an engine in which another pattern is still measured: what is free in it counts for nothing. */
const USED_ENGINE_MAX_BYTES = 8 * 1024 * 1024;

/**
 * Compiles a pattern of a file that nobody has checked. Behind one that is too large no other of its manifest is compiled: what
 * the first one took says enough.
 */
export function compileBounded(source: string, findings: Findings): Result<RustPattern, string> {
  if (findings.patternIsTooLarge) return fail('not looked at, for a pattern before it is too large');
  const engine = patternEngine(USED_ENGINE_MAX_BYTES);
  const before = engine.memoryBytes;
  const compiled = RustPattern.compile(source, engine);
  findings.patternIsTooLarge = engine.memoryBytes - before > PATTERN_MAX_BYTES;
  if (!compiled.ok || !findings.patternIsTooLarge) return compiled;
  compiled.value.free();
  return fail(
    'is too large: \\w, \\d and \\p mean all of Unicode, so write which characters may stand there',
  );
}

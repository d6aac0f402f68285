import { createRequire } from 'node:module';
import type { RRegex } from 'rregex';

/** One instance of the engine, with everything that was compiled in it. */
export interface PatternEngine {
  readonly RRegex: typeof RRegex;
  /** Bytes of its memory. */
  readonly memoryBytes: number;
}

/** Bytes: room for dozens of patterns such as `\w{1,40}`, or for thousands that stay within ASCII. */
const ENGINE_MAX_BYTES = 256 * 1024 * 1024;

let current: PatternEngine | null = null;

/**
 * The engine of this thread. Its allocator never uses a large piece of memory twice, so an instance only grows. One that has
 * more than `maxBytes` is left for a new one; it is gone with the last pattern of it.
 */
export function patternEngine(maxBytes = ENGINE_MAX_BYTES): PatternEngine {
  if (current === null || current.memoryBytes > maxBytes) current = load();
  return current;
}

/** It failed in the midst of something, and must not be used again. */
export function discardPatternEngine(engine: PatternEngine): void {
  if (current === engine) current = null;
}

/** As a module it would be one instance for ever. Nothing keeps what is required here, neither the cache nor a parent. */
function load(): PatternEngine {
  const require = createRequire(import.meta.url);
  const entry = require.resolve('rregex');
  const { RRegex, __wasm } = require(entry);
  delete require.cache[entry];
  const memory: WebAssembly.Memory = __wasm.memory;
  return {
    RRegex,
    get memoryBytes() {
      return memory.buffer.byteLength;
    },
  };
}

import type { Finding, KeyPath } from './manifest-toml.ts';
import { shown } from './text.ts';

const NUL_OR_C1 = /[\u0000\u0080-\u009f]/;

/**
 * Values of a manifest that hold NUL or a C1 control (B17): a C string ends at the one, the other acts where the text is
 * shown. No key has a use for either.
 */
export function controlsIn(value: unknown, path: KeyPath = []): Finding[] {
  if (typeof value === 'string')
    return NUL_OR_C1.test(value)
      ? [{ path, message: `must not contain NUL or C1 controls: ${shown(value)}` }]
      : [];
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  return [...entries].flatMap(([key, entry]) => controlsIn(entry, [...path, key]));
}

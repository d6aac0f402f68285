import type { Manifest, ManifestCommand } from '../../../shared/governed/manifest.ts';
import { RustPattern } from './rust-pattern.ts';
import { trim } from './text.ts';

/** A manifest with its patterns compiled, for matching only; see `checkCall` for everything that a call must satisfy. */
export interface CompiledManifest {
  readonly manifest: Manifest;
  /** Undefined for a command that is not declared (X8). */
  command(name: string): ManifestCommand | undefined;
  /** True when the command's pattern matches all of `text`. False for an unknown command. */
  commandMatches(name: string, text: string): boolean;
  /** True when the line, trimmed, is not empty and the ready pattern matches all of it (E26). */
  readyMatches(line: string): boolean;
  /** What `(?P<target>…)` of the command's pattern matched in `text`; null when there is no match or no such group. */
  targetOf(name: string, text: string): string | null;
}

const compiled = new WeakMap<Manifest, CompiledManifest>();

/** Compiles each manifest once. Throws on a pattern that does not compile: a loaded manifest has none. */
export function compileManifest(manifest: Manifest): CompiledManifest {
  const known = compiled.get(manifest);
  if (known !== undefined) return known;
  const made = compile(manifest);
  compiled.set(manifest, made);
  return made;
}

function compile(manifest: Manifest): CompiledManifest {
  const ready = requirePattern(manifest.session.readyPattern);
  const commands = new Map(
    manifest.commands.map((command) => [command.name, { command, pattern: requirePattern(command.pattern) }]),
  );
  return {
    manifest,
    command: (name) => commands.get(name)?.command,
    commandMatches: (name, text) => commands.get(name)?.pattern.matchesWhole(text) ?? false,
    readyMatches(line) {
      const trimmed = trim(line);
      return trimmed !== '' && ready.matchesWhole(trimmed);
    },
    targetOf: (name, text) => commands.get(name)?.pattern.group(text, 'target') ?? null,
  };
}

function requirePattern(source: string): RustPattern {
  const pattern = RustPattern.compile(source);
  if (!pattern.ok) throw new Error(`pattern does not compile: ${pattern.error}`);
  return pattern.value;
}

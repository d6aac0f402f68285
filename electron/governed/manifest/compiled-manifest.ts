import type { Manifest, ManifestCommand } from '../../../shared/governed/manifest.ts';
import { patternOf } from './kept-patterns.ts';
import { trim } from './text.ts';

/** A loaded manifest, for matching only; see `checkCall` for everything that a call must satisfy. */
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

/** Its patterns are compiled when they are first needed. */
export function compileManifest(manifest: Manifest): CompiledManifest {
  const commands = new Map(manifest.commands.map((command) => [command.name, command]));
  const pattern = (name: string) => {
    const command = commands.get(name);
    return command === undefined ? undefined : patternOf(command.pattern);
  };
  return {
    manifest,
    command: (name) => commands.get(name),
    commandMatches: (name, text) => pattern(name)?.matchesWhole(text) ?? false,
    readyMatches(line) {
      const trimmed = trim(line);
      return trimmed !== '' && patternOf(manifest.session.readyPattern).matchesWhole(trimmed);
    },
    targetOf: (name, text) => pattern(name)?.group(text, 'target') ?? null,
  };
}

import { z } from 'zod';

export const engineKindSchema = z.enum(['bubblewrap', 'container', 'attach', 'smolvm', 'microvm']);
export type EngineKind = z.infer<typeof engineKindSchema>;

/** What each is called wherever a person reads it. */
export const ENGINE_NAMES: Readonly<Record<EngineKind, string>> = {
  bubblewrap: 'Bubblewrap',
  container: 'Container',
  attach: 'Running container',
  smolvm: 'smolvm',
  microvm: 'Micro-VM',
};

/** One thing that makes an engine usable: a sentence, or words for a command that does it ("Debian, Ubuntu:"). */
export const engineFixSchema = z.object({ text: z.string(), command: z.string().nullable() });
export type EngineFix = z.infer<typeof engineFixSchema>;

/** A fix on one line. */
export function fixInWords({ text, command }: EngineFix): string {
  return command === null ? text : `${text} ${command}`;
}

/** Whether an engine can be used on this machine, and if not why and what to do, in words. */
export const engineStatusSchema = z.object({
  kind: engineKindSchema,
  usable: z.boolean(),
  version: z.string().nullable(),
  /** One sentence: "bubblewrap 0.8.0 is ready." or what is missing. */
  summary: z.string(),
  /** What makes it usable; empty when it is. */
  fixes: z.array(engineFixSchema),
  /** Facts worth showing although the engine is usable, e.g. that only prlimit bounds memory. */
  notes: z.array(z.string()),
});
export type EngineStatus = z.infer<typeof engineStatusSchema>;

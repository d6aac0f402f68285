import { z } from 'zod';

export const engineKindSchema = z.enum(['bubblewrap', 'container', 'smolvm', 'microvm']);
export type EngineKind = z.infer<typeof engineKindSchema>;

/** Whether an engine can be used on this machine, and if not why and what to do, in words. */
export const engineStatusSchema = z.object({
  kind: engineKindSchema,
  name: z.string(),
  usable: z.boolean(),
  version: z.string().nullable(),
  /** One sentence: "bubblewrap 0.8.0 is ready." or what is missing. */
  summary: z.string(),
  /** The exact commands or steps that make it usable; empty when it is. */
  fixes: z.array(z.string()),
  /** Facts worth showing although the engine is usable, e.g. that only prlimit bounds memory. */
  notes: z.array(z.string()),
});
export type EngineStatus = z.infer<typeof engineStatusSchema>;

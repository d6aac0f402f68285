import { z } from 'zod';

/** Null where nothing enforces one; `unknown` where the engine cannot tell. */
const bound = z.union([z.number().int().positive(), z.literal('unknown')]).nullable();
export type Bound = z.infer<typeof bound>;

/**
 * What a sandbox can reach and how it is bounded, as facts that the engine applied, not as wishes.
 * The page turns it into words (renderer/workspace); `unknown` is said, never left out.
 */
export const postureSchema = z.object({
  engine: z.string(),
  engineVersion: z.string(),
  network: z.enum(['none', 'host', 'unknown']),
  mounts: z.array(
    z.object({ source: z.string(), target: z.string(), access: z.enum(['read-only', 'read-write']) }),
  ),
  /** There may be more than the mounts: it was there before, and its engine cannot tell what of a machine's files it sees. */
  filesUnknown: z.boolean().optional(),
  user: z.string(),
  limits: z.object({
    memoryBytes: bound,
    processes: bound,
    openFiles: bound,
    /** Hundredths of one CPU: 100 is one whole core. */
    cpuPercent: bound,
    homeBytes: bound,
    tmpBytes: bound,
    /** Of a shell's /out, where files to publish go; left out where it has none. */
    outBytes: z.number().int().positive().nullable().optional(),
    /** Of the largest file that a program may write anywhere (F6). */
    fileBytes: z.number().int().positive().nullable().optional(),
    /** What enforces memory, processes and cpu, in words: "cgroup v1", "systemd scope", "prlimit only". */
    enforcedBy: z.string(),
  }),
  recorded: z.boolean(),
  /** Why it is no longer recorded, as a sentence; left out where it never was, or still is. */
  recordingStopped: z.string().optional(),
});
export type SandboxPosture = z.infer<typeof postureSchema>;

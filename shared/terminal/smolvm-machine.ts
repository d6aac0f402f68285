import { z } from 'zod';

/** Names that Airlock gives and asks for. */
export const smolvmMachineNameSchema = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,30}$/, {
  message: 'must be 1 to 31 of a-z, 0-9, _ and -, not starting with _ or -',
});

/** A session of a machine whose end is not known, and which nobody has looked at since (rule 10). */
export const unresolvedSessionSchema = z.object({
  machine: z.string(),
  /** Where the machine is. */
  address: z.string(),
  /** ISO 8601: when it was opened. Words where that is not known. */
  since: z.string(),
  /** What is not known, and why: sentences. */
  reason: z.string(),
});
export type UnresolvedSession = z.infer<typeof unresolvedSessionSchema>;

/** One machine of a smolvm server, as a page may show it. */
export const smolvmMachineSchema = z.object({
  name: z.string(),
  /** `other`: a state that is not known here, or not one to work with. Nothing can be opened in it. */
  state: z.enum(['created', 'running', 'stopped', 'other']),
  image: z.string().nullable(),
  cpus: z.number().int().positive().nullable(),
  memoryMiB: z.number().int().positive().nullable(),
  network: z.boolean().nullable(),
  /** Folders of the server's host. */
  mounts: z.array(z.object({ source: z.string(), target: z.string(), readOnly: z.boolean() })),
  /** Why no session can be opened in it whatever its state, as a sentence; null when one can. */
  unsupported: z.string().nullable(),
  /** `here`: a session of this machine is open. Filled by whoever keeps the sessions. */
  session: z.enum(['none', 'here', 'unresolved']),
  /** Of `unresolved`, null else. A record that cannot be read names no machine: it is known here alone. */
  unresolved: unresolvedSessionSchema.nullable(),
});
export type SmolvmMachine = z.infer<typeof smolvmMachineSchema>;

/** What a new machine is made of. */
export const newSmolvmMachineSchema = z.strictObject({
  name: smolvmMachineNameSchema,
  image: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[!-~]+$/, { message: 'must be an image such as docker.io/library/debian:12' }),
  cpus: z.number().int().min(1).max(64).default(2),
  memoryMiB: z.number().int().min(128).max(1_048_576).default(1_024),
  storageGiB: z.number().int().min(1).max(1_024).default(8),
  network: z.boolean().default(false),
});
export type NewSmolvmMachine = z.infer<typeof newSmolvmMachineSchema>;

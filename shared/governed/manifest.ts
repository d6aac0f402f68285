import { z } from 'zod';

/**
 * A ToolClad session manifest (`NAME.clad.toml`) as it was read: every default filled in, every bound checked, every
 * pattern compiled once (reference, section 1). Names are those of the TOML, in camel case.
 */

/** The types of section 1.4. A manifest may only name these or a custom type of `toolclad.toml`, resolved by then. */
export const argumentTypeSchema = z.enum([
  'string',
  'literal_text',
  'integer',
  'port',
  'boolean',
  'enum',
  'scope_target',
  'url',
  'path',
  'credential_file',
  'ip_address',
  'cidr',
  'duration',
  'regex_match',
  'msf_options',
  'agent_summary',
]);
export type ArgumentType = z.infer<typeof argumentTypeSchema>;

export const argumentSchema = z.object({
  name: z.string(),
  position: z.number().int().min(0),
  type: argumentTypeSchema,
  required: z.boolean(),
  description: z.string(),
  /** As text; null when there is none. */
  default: z.string().nullable(),
  allowed: z.array(z.string()).nullable(),
  /** Rust regex, searched, not whole-string. */
  pattern: z.string().nullable(),
  min: z.number().int().nullable(),
  max: z.number().int().nullable(),
  clamp: z.boolean(),
  schemes: z.array(z.string()).nullable(),
  scopeCheck: z.boolean(),
});
export type Argument = z.infer<typeof argumentSchema>;

/** By convention `low`, `medium` or `high`; not checked (C8). */
const riskTier = z.string();

export const commandSchema = z.object({
  name: z.string(),
  /** Rust regex; must match the entire command text. */
  pattern: z.string(),
  description: z.string(),
  riskTier,
  /** The command's own flag or the tool's (A1). */
  needsApproval: z.boolean(),
  finalize: z.boolean(),
  extractTarget: z.boolean(),
  /** In order of `position`. */
  args: z.array(argumentSchema),
});
export type ManifestCommand = z.infer<typeof commandSchema>;

export const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  riskTier,
  /** Milliseconds that one call may take, startup included (E20). */
  timeoutMs: z.number(),
  cedar: z.object({ resource: z.string(), action: z.string() }).nullable(),
  session: z.object({
    /** Literal words; no shell is involved. */
    startupArgv: z.array(z.string()),
    readyPattern: z.string(),
    startupTimeoutMs: z.number(),
    idleTimeoutMs: z.number(),
    sessionTimeoutMs: z.number(),
    maxInteractions: z.number().int(),
    outputMaxBytes: z.number().int(),
    outputWaitMs: z.number(),
  }),
  /** In the order of the file. */
  commands: z.array(commandSchema),
  /** Null without `[filesystem]`: then the session has no host file at all (F2). Entries may be `{argument}`. */
  filesystem: z
    .object({
      read: z.array(z.string()),
      create: z.string().nullable(),
      maxFileBytes: z.number().int(),
    })
    .nullable(),
  outputFormat: z.enum(['text', 'json', 'xml', 'csv', 'jsonl']),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** One thing that is wrong, or suspicious, in one file. `message` names the key and the bound. */
export const manifestProblemSchema = z.object({
  file: z.string(),
  /** 1-based; null when the file as a whole is meant. */
  line: z.number().int().nullable(),
  /** As `session.commands.add.pattern`; empty when the file as a whole is meant. */
  key: z.string(),
  message: z.string(),
});
export type ManifestProblem = z.infer<typeof manifestProblemSchema>;

/** Where a manifest came from: Airlock's own examples, the user's folder, a project's `tools/`. */
export const manifestOriginSchema = z.enum(['example', 'user', 'project']);

export const loadedManifestSchema = z.object({
  manifest: manifestSchema,
  /** Absolute path of the file. */
  file: z.string(),
  origin: manifestOriginSchema,
  /** SHA-256 of the file's bytes, lower-case hex: names exactly this text. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  /** Warnings: the manifest can be used all the same. */
  warnings: z.array(manifestProblemSchema),
});
export type LoadedManifest = z.infer<typeof loadedManifestSchema>;

export const manifestCatalogSchema = z.object({
  manifests: z.array(loadedManifestSchema),
  /** Files that cannot be used, and why; they never hide the others (M1). */
  problems: z.array(manifestProblemSchema),
  /** Folders that were looked into, for an empty state that says where to put a manifest. */
  folders: z.array(z.object({ path: z.string(), origin: manifestOriginSchema, exists: z.boolean() })),
});
export type ManifestCatalog = z.infer<typeof manifestCatalogSchema>;

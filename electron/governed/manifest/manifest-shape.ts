import { z } from 'zod';
import { toml } from './manifest-toml.ts';

/** The shape of a manifest file, key by key as in the TOML, with Symbiont's defaults (M2, M3, sections 1.1–1.5). */

/** The constraints of an argument and of a custom type (1.4). */
const constraints = {
  allowed: toml.texts.optional(),
  pattern: toml.text.optional(),
  min: toml.i64.optional(),
  max: toml.i64.optional(),
  clamp: toml.flag.default(false),
  schemes: toml.texts.optional(),
  scope_check: toml.flag.default(false),
};

const argumentShape = z.object({
  ...constraints,
  position: toml.u32,
  type: toml.text,
  required: toml.flag.default(false),
  description: toml.text.default(''),
  default: z.unknown().optional(),
  feeds_decision: toml.flag.optional(),
  sanitize: toml.texts.optional(),
});
export type ArgumentShape = z.infer<typeof argumentShape>;

const commandShape = z.object({
  pattern: toml.text,
  description: toml.text,
  risk_tier: toml.text.default('low'),
  human_approval: toml.flag.default(false),
  finalize: toml.flag.default(false),
  extract_target: toml.flag.default(false),
  args: z.record(z.string(), argumentShape).default({}),
});
export type CommandShape = z.infer<typeof commandShape>;

const toolShape = z.object({
  name: toml.text,
  version: toml.text,
  description: toml.text,
  mode: toml.text.default('oneshot'),
  binary: toml.text.default(''),
  timeout_seconds: toml.u64.default(30n),
  risk_tier: toml.text.default('low'),
  human_approval: toml.flag.default(false),
  cedar: z.object({ resource: toml.text, action: toml.text }).optional(),
  evidence: z
    .object({ output_dir: toml.text, capture: toml.flag.default(true), hash: toml.text.default('sha256') })
    .optional(),
  dispatch: z.unknown().optional(),
});

const interactionShape = z.object({
  output_max_bytes: toml.u64.default(1_048_576n),
  output_wait_ms: toml.u64.default(2000n),
  input_sanitize: toml.texts.optional(),
});

const sessionShape = z.object({
  startup_command: toml.text,
  ready_pattern: toml.text,
  startup_timeout_seconds: toml.u64.default(30n),
  idle_timeout_seconds: toml.u64.default(300n),
  session_timeout_seconds: toml.u64.default(1800n),
  max_interactions: toml.u32.default(100n),
  interaction: interactionShape.default({ output_max_bytes: 1_048_576n, output_wait_ms: 2000n }),
  commands: z.record(z.string(), commandShape).default({}),
});

/** The one table in which an unknown key is an error (M2). */
const filesystemShape = z.strictObject({
  read: toml.texts.default([]),
  create: toml.texts.default([]),
  max_file_bytes: toml.u64.default(8_388_608n),
});
export type FilesystemShape = z.infer<typeof filesystemShape>;

const outputShape = z.object({
  format: z.enum(['text', 'json', 'xml', 'csv', 'jsonl'], {
    error: 'must be one of text, json, xml, csv, jsonl',
  }),
  parser: toml.text.optional(),
  envelope: toml.flag.default(true),
  schema: z.unknown().optional(),
});

export const manifestShape = z.object({
  tool: toolShape,
  session: sessionShape,
  filesystem: filesystemShape.optional(),
  output: outputShape,
});
export type ManifestShape = z.infer<typeof manifestShape>;

/** Read before the rest: a file of another mode is not judged by the rules of sessions. */
export const modeShape = z.object({ tool: z.object({ mode: toml.text.default('oneshot') }) });

const customTypeShape = z.object({ base: toml.text, ...constraints });
export type CustomTypeShape = z.infer<typeof customTypeShape>;

/** `toolclad.toml`. */
export const customTypesShape = z.object({ types: z.record(z.string(), customTypeShape).default({}) });

/** Keys that Symbiont knows; another one is ignored (M2), which may be a slip of the pen. `*`: any name. */
export const KNOWN_KEYS: Readonly<Record<string, readonly string[]>> = {
  '': ['tool', 'session', 'filesystem', 'output', 'args', 'command', 'http', 'mcp', 'browser', 'source'],
  tool: Object.keys(toolShape.shape),
  'tool.cedar': ['resource', 'action'],
  'tool.evidence': ['output_dir', 'capture', 'hash'],
  session: [...Object.keys(sessionShape.shape), 'child_detection', 'events'],
  'session.interaction': Object.keys(interactionShape.shape),
  'session.commands.*': Object.keys(commandShape.shape),
  'session.commands.*.args.*': Object.keys(argumentShape.shape),
  output: Object.keys(outputShape.shape),
};

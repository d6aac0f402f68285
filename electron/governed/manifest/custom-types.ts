import { type ArgumentType, argumentTypeSchema } from '../../../shared/governed/manifest.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type CustomTypeShape, customTypesShape } from './manifest-shape.ts';
import { checkShape, type Finding, parseToml, type TomlDocument } from './manifest-toml.ts';
import { shown } from './text.ts';

/** The custom types of one `toolclad.toml`, by name. */
export type CustomTypes = ReadonlyMap<string, CustomTypeShape>;

export const NO_CUSTOM_TYPES: CustomTypes = new Map();

export interface ResolvedType {
  readonly type: ArgumentType;
  /** The last link of the chain, whose constraints apply; null for a built-in type, where the argument's own do. */
  readonly constraints: CustomTypeShape | null;
}

/** Fails with `Unknown type: X` or `cyclic custom argument type` (1.4). */
export function resolveType(name: string, types: CustomTypes): Result<ResolvedType, string> {
  let constraints: CustomTypeShape | null = null;
  let link = name;
  for (const seen = new Set<string>(); ; seen.add(link), link = constraints.base) {
    const builtIn = argumentTypeSchema.safeParse(link);
    if (builtIn.success) return ok({ type: builtIn.data, constraints });
    if (seen.has(link)) return fail('cyclic custom argument type');
    const custom = types.get(link);
    if (custom === undefined) return fail(`Unknown type: ${shown(link)}`);
    constraints = custom;
  }
}

/** Reads `toolclad.toml`. A type that cannot be used is left out, and said. */
export function parseCustomTypes(text: string): {
  types: CustomTypes;
  findings: readonly (Finding & { line: number | null })[];
} {
  const document = parseToml(text);
  if (!document.ok) return { types: NO_CUSTOM_TYPES, findings: [{ path: [], ...document.error }] };
  const shape = checkShape(customTypesShape, document.value.value);
  if (!shape.ok) return { types: NO_CUSTOM_TYPES, findings: withLines(document.value, shape.error) };
  const all: CustomTypes = new Map(Object.entries(shape.value.types));
  const findings: Finding[] = [];
  const types = new Map<string, CustomTypeShape>();
  for (const [name, type] of all) {
    const message = argumentTypeSchema.safeParse(name).success
      ? `type ${name} is built in and cannot be defined again`
      : failureOf(resolveType(name, all));
    if (message === null) types.set(name, type);
    else findings.push({ path: ['types', name], message });
  }
  return { types, findings: withLines(document.value, findings) };

  function withLines(value: TomlDocument, found: readonly Finding[]) {
    return found.map((finding) => ({ ...finding, line: value.lineOf(finding.path) }));
  }
}

function failureOf(result: Result<unknown, string>): string | null {
  return result.ok ? null : result.error;
}

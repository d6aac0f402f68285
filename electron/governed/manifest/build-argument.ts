import type { Argument } from '../../../shared/governed/manifest.ts';
import { valueProblem } from './arguments/value.ts';
import { compileBounded } from './bounded-pattern.ts';
import { type CustomTypes, resolveType } from './custom-types.ts';
import type { Findings } from './findings.ts';
import type { ArgumentShape } from './manifest-shape.ts';
import type { KeyPath } from './manifest-toml.ts';
import { shown } from './text.ts';

const CONSTRAINTS = ['allowed', 'pattern', 'min', 'max', 'clamp', 'schemes', 'scope_check'] as const;
const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** One `[session.commands.NAME.args.NAME]`; null when its type cannot be resolved, which is then a problem. */
export function buildArgument(
  name: string,
  shape: ArgumentShape,
  types: CustomTypes,
  path: KeyPath,
  findings: Findings,
): Argument | null {
  const resolved = resolveType(shape.type, types);
  if (!resolved.ok) {
    findings.problem([...path, 'type'], resolved.error);
    return null;
  }
  const { type, constraints } = resolved.value;
  if (constraints !== null) {
    for (const key of CONSTRAINTS) {
      if (shape[key] === undefined || shape[key] === false) continue;
      findings.warn([...path, key], `ignored: the constraints of the custom type ${shown(shape.type)} apply`);
    }
  }
  const source = constraints ?? shape;
  const argument: Argument = {
    name,
    position: Number(shape.position),
    type,
    required: shape.required,
    description: shape.description,
    default: defaultText(shape.default, path, findings),
    allowed: source.allowed ?? null,
    pattern: source.pattern ?? null,
    min: bound(source.min, [...path, 'min'], findings),
    max: bound(source.max, [...path, 'max'], findings),
    clamp: source.clamp,
    schemes: source.schemes ?? null,
    scopeCheck: source.scope_check || type === 'scope_target',
  };
  checkConstraints(argument, path, findings);
  return argument;
}

function bound(value: bigint | undefined, path: KeyPath, findings: Findings): number | null {
  if (value === undefined) return null;
  if (value < -SAFE_MAX || value > SAFE_MAX) {
    findings.problem(path, `must be -${SAFE_MAX} to ${SAFE_MAX}, is ${value}`);
  }
  return Number(value);
}

/** Results are strings (M7), so a number or a boolean is its text. */
function defaultText(value: unknown, path: KeyPath, findings: Findings): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  findings.problem([...path, 'default'], 'must be text, a number or a boolean');
  return null;
}

function checkConstraints(argument: Argument, path: KeyPath, findings: Findings): void {
  const before = findings.problems.length;
  const { min, max, pattern, allowed, type } = argument;
  if (min !== null && max !== null && min > max) {
    findings.problem([...path, 'min'], `min ${min} is above max ${max}`);
  }
  if (type === 'enum' && (allowed === null || allowed.length === 0)) {
    findings.problem([...path, 'allowed'], 'type enum needs allowed, with one value or more');
  }
  if (type === 'regex_match' && pattern === null) {
    findings.problem([...path, 'pattern'], 'type regex_match needs a pattern');
  }
  const compiled = pattern === null ? null : compileBounded(pattern, findings);
  if (compiled?.ok === false) {
    findings.problem([...path, 'pattern'], `invalid argument pattern: ${compiled.error}`);
  }
  const isValid = findings.problems.length === before;
  const found = (text: string) => compiled?.ok === true && compiled.value.matchesPart(text);
  if (isValid) checkDefault(argument, path, found, findings);
  if (compiled?.ok) compiled.value.free();
}

function checkDefault(
  argument: Argument,
  path: KeyPath,
  found: (text: string) => boolean,
  findings: Findings,
): void {
  if (argument.default === null) return;
  if (argument.required) {
    findings.warn([...path, 'default'], 'never used: a required argument must be given (M7)');
    return;
  }
  const wrong = argument.default === '' ? null : valueProblem(argument, argument.default, found);
  if (wrong !== null) findings.problem([...path, 'default'], `is not valid by its own type: ${wrong}`);
}

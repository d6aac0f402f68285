import { z } from 'zod';
import { PROBLEMS_LISTED_MAX } from '../terminal/limits.ts';

/** One thing that is wrong with a value: which field, and what it must be. `${field} ${message}` is a sentence. */
export interface Problem {
  readonly field: string;
  readonly message: string;
}

type Issue = z.core.$ZodIssue;

/** Fields whose values may be secrets: a message about them never repeats the value. */
const SECRET_FIELDS = new Set<PropertyKey>(['environment', 'token', 'key']);
const SHOWN_VALUE_MAX_CHARS = 40;

/**
 * Says in words what a schema found wrong with `input`: every problem names the field and the bound. At most
 * PROBLEMS_LISTED_MAX are listed; one more counts the rest.
 */
export function describeIssues(issues: readonly Issue[], input: unknown): Problem[] {
  const problems = issues.flatMap((issue) => describeIssue(issue, input));
  const rest = problems.length - PROBLEMS_LISTED_MAX;
  if (rest <= 0) return problems;
  return [...problems.slice(0, PROBLEMS_LISTED_MAX), { field: '', message: `and ${rest} more problems` }];
}

/** The problems as one text, for the message of an error. */
export function problemsInWords(problems: readonly Problem[]): string {
  return problems.map(({ field, message }) => (field === '' ? message : `${field} ${message}`)).join('; ');
}

function describeIssue(issue: Issue, input: unknown): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: fieldName([...issue.path, key]),
      message: 'is not a field that exists here',
    }));
  }
  const value = valueAt(input, issue.path);
  const shown = issue.path.some((key) => SECRET_FIELDS.has(key)) ? '' : `, is ${inWords(value)}`;
  return [{ field: fieldName(issue.path), message: requirement(issue, value, shown) }];
}

function requirement(
  issue: Exclude<Issue, { code: 'unrecognized_keys' }>,
  value: unknown,
  shown: string,
): string {
  switch (issue.code) {
    case 'too_big':
      return bound(issue.origin, 'at most', issue.maximum, value, shown);
    case 'too_small':
      return bound(issue.origin, 'at least', issue.minimum, value, shown);
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}${shown}`;
    case 'invalid_type':
      return value === undefined
        ? 'is missing'
        : `must be ${typeName(issue.expected)}${Number.isNaN(value) ? '' : shown}`;
    case 'invalid_key':
      return issue.issues.map((inner) => `has a name that ${inner.message}`).join(', ');
    case 'invalid_union':
      return `must be one of the known kinds${shown}`;
    case 'invalid_format':
      return issue.message.startsWith('must ')
        ? issue.message
        : `must be a ${issue.format.toUpperCase()}${shown}`;
    default:
      return issue.message;
  }
}

function bound(
  origin: string,
  comparison: string,
  limit: number | bigint,
  value: unknown,
  shown: string,
): string {
  const plural = limit === 1 ? '' : 's';
  if (origin === 'string') {
    return `must be ${comparison} ${limit} character${plural} long, has ${(value as string).length}`;
  }
  if (origin === 'array') {
    return `must have ${comparison} ${limit} ${limit === 1 ? 'entry' : 'entries'}, has ${(value as unknown[]).length}`;
  }
  return `must be ${comparison} ${limit}${shown}`;
}

function oneOf(values: readonly unknown[]): string {
  const words = values.map(inWords);
  return words.length === 1 ? (words[0] as string) : `one of ${words.join(', ')}`;
}

function typeName(expected: string): string {
  if (expected === 'int') return 'a whole number';
  if (expected === 'boolean') return 'true or false';
  if (expected === 'array') return 'a list';
  if (expected === 'record') return 'an object';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

/** A short, printable form of any value. */
function inWords(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

function quoted(text: string): string {
  const cut = text.length > SHOWN_VALUE_MAX_CHARS ? `${text.slice(0, SHOWN_VALUE_MAX_CHARS)}…` : text;
  return JSON.stringify(cut).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, codePoint);
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`;
}

function fieldName(path: readonly PropertyKey[]): string {
  return z.core.toDotPath(path.map((key) => (typeof key === 'string' ? printableKey(key) : key)));
}

function printableKey(key: string): string {
  const cut = key.length > SHOWN_VALUE_MAX_CHARS ? `${key.slice(0, SHOWN_VALUE_MAX_CHARS)}…` : key;
  return cut.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, codePoint);
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

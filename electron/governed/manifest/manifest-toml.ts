import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type KeyPath, LineMap } from './line-map.ts';
import { shown } from './text.ts';

export type { KeyPath };

/** Something wrong at a key: `path` is empty when the document as a whole is meant. */
export interface Finding {
  readonly path: KeyPath;
  readonly message: string;
}

/** Tables and arrays within each other, however they are written; none of ours needs more than six. */
const MAX_DEPTH = 32;

export interface TomlDocument {
  readonly value: Record<string, unknown>;
  lineOf(path: KeyPath): number | null;
}

/** Parses TOML with integers as bigint, so that 1 and 1.0 stay what they are. What it accepts is at most MAX_DEPTH deep. */
export function parseToml(text: string): Result<TomlDocument, { line: number | null; message: string }> {
  try {
    const value = parse(text, { integersAsBigInt: true, unsafeKeyBehaviour: 'throw', maxDepth: MAX_DEPTH });
    let lines: LineMap | undefined;
    const lineOf = (path: KeyPath) => {
      lines ??= new LineMap(text);
      return lines.lineOf(path);
    };
    const deep = pathBelow(value, MAX_DEPTH);
    if (deep === null) return ok({ value, lineOf });
    return fail({
      line: lineOf(deep),
      message: `tables and arrays may lie at most ${MAX_DEPTH} deep within each other`,
    });
  } catch (error) {
    if (!(error instanceof TomlError))
      return fail({ line: null, message: `invalid TOML: ${shown(String(error))}` });
    const [reason = ''] = error.message.split('\n');
    return fail({
      line: error.line,
      message: `invalid TOML: ${shown(reason.replace(/^Invalid TOML document: /, ''))} (column ${error.column})`,
    });
  }
}

/** The way to the first table or array below `levels` others: the parser counts brackets, and no dotted keys. */
function pathBelow(value: unknown, levels: number): KeyPath | null {
  if (typeof value !== 'object' || value === null || value instanceof Date) return null;
  if (levels === 0) return [];
  for (const [key, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const below = pathBelow(inner, levels - 1);
    if (below !== null) return [key, ...below];
  }
  return null;
}

/** Checks the shape of a document (M2, M3); one finding per key that is missing or of the wrong type. */
export function checkShape<T>(schema: z.ZodType<T>, value: unknown): Result<T, Finding[]> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  return fail(parsed.error.issues.flatMap((issue) => findings(issue, value)));
}

function findings(issue: z.core.$ZodIssue, document: unknown): Finding[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: `unknown field ${shown(key)}` }));
  }
  const value = valueAt(document, path);
  if (value === undefined) return [{ path, message: `missing required field ${shown(String(path.at(-1)))}` }];
  return [{ path, message: `wrong type or value: ${issue.message}, found ${kindOf(value)}` }];
}

function valueAt(document: unknown, path: KeyPath): unknown {
  let value: unknown = document;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}

function kindOf(value: unknown): string {
  if (typeof value === 'bigint') return `the integer ${value}`;
  if (typeof value === 'number') return `the float ${value}`;
  if (typeof value === 'string') return `the text "${shown(value, 60)}"`;
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'an array';
  return value instanceof Date ? 'a date' : 'a table';
}

/** A whole number of the file, within the bounds of its type in Symbiont. */
function integer(name: string, min: bigint, max: bigint): z.ZodType<bigint> {
  const message = `must be a whole number (${name}: ${min} to ${max})`;
  return z.bigint({ error: message }).min(min, message).max(max, message);
}

export const toml = {
  text: z.string({ error: 'must be text' }),
  flag: z.boolean({ error: 'must be true or false' }),
  texts: z.array(z.string({ error: 'must be text' }), { error: 'must be an array of texts' }),
  u32: integer('u32', 0n, 2n ** 32n - 1n),
  u64: integer('u64', 0n, 2n ** 64n - 1n),
  i64: integer('i64', -(2n ** 63n), 2n ** 63n - 1n),
};

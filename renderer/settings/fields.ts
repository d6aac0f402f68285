import { z } from 'zod';
import { describeIssues } from '../../shared/protocol/issues.ts';

/** What a person can do with a field, read from the schema. */
export type Control =
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | {
      readonly kind: 'number';
      readonly min: number;
      readonly max: number;
      readonly whole: boolean;
      /** It may be left empty, which is null. */
      readonly optional: boolean;
    }
  | { readonly kind: 'text'; readonly maxLength: number; readonly optional: boolean };

/** One field of an object schema, as the settings page shows it. */
export interface SettingField {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  readonly control: Control;
  readonly standard: unknown;
  readonly schema: z.ZodType;
}

interface FieldJson {
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly anyOf?: readonly FieldJson[];
}

/**
 * The fields of an object schema that have a simple control: booleans, choices, bounded numbers and one-line texts,
 * these also where they may be null. Others (lists, records, objects) are left out; they need an editor of their own. So is
 * what has one value alone.
 */
export function fieldsOf(schema: z.ZodObject): SettingField[] {
  return Object.entries(schema.shape).flatMap(([key, field]) => {
    const type = field as z.ZodType;
    const json = z.toJSONSchema(type, { io: 'input' }) as FieldJson;
    const control = controlOf(json);
    if (control === null) return [];
    return [
      {
        key,
        title: json.title ?? key,
        description: json.description ?? '',
        control,
        standard: json.default,
        schema: type,
      },
    ];
  });
}

/** "6 to 40."; empty where there is no bound to know. */
export function boundsWords(control: Control): string {
  return control.kind === 'number' ? `${control.min} to ${control.max}.` : '';
}

/** What is wrong with `value`: the field and the bound, as a sentence. Null when it is right. */
export function fieldError(field: SettingField, value: unknown): string | null {
  const parsed = field.schema.safeParse(value);
  if (parsed.success) return null;
  const [problem] = describeIssues(parsed.error.issues, value);
  return `${field.title} ${problem?.message ?? 'is not usable'}.`;
}

/** Reads a typed number: "1.5" and "1,5" alike. NaN when it is none, which every schema refuses. */
export function parseNumber(text: string): number {
  const trimmed = text.trim().replace(',', '.');
  return /^[+-]?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : Number.NaN;
}

export function matchesSearch(field: SettingField, query: string): boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${field.title} ${field.description} ${field.key}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function controlOf(json: FieldJson): Control | null {
  if (json.anyOf !== undefined) return optionalOf(json.anyOf);
  if (json.const !== undefined) return null;
  if (json.enum !== undefined) return { kind: 'choice', options: json.enum };
  switch (json.type) {
    case 'boolean':
      return { kind: 'switch' };
    case 'integer':
    case 'number': {
      const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = json;
      return { kind: 'number', min: minimum, max: maximum, whole: json.type === 'integer', optional: false };
    }
    case 'string':
      return { kind: 'text', maxLength: json.maxLength ?? Number.MAX_SAFE_INTEGER, optional: false };
    default:
      return null;
  }
}

/** A number or a text that may be null as well. */
function optionalOf(options: readonly FieldJson[]): Control | null {
  const [value, ...others] = options.filter((option) => option.type !== 'null');
  if (value === undefined || others.length > 0 || options.length !== 2) return null;
  const control = controlOf(value);
  return control?.kind === 'number' || control?.kind === 'text' ? { ...control, optional: true } : null;
}

import { z } from 'zod';
import { describeIssues } from '../../shared/protocol/issues.ts';
import type { FileUnit } from '../../shared/settings/engine-settings.ts';
import { formatMeasure, MEASURE_WORDS, parseMeasure, parseNumber, twoMeanings } from './measures.ts';

/** What a person can do with a field, read from the schema. */
export type Control =
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | {
      readonly kind: 'number';
      readonly min: number;
      readonly max: number;
      readonly whole: boolean;
      /** What the file counts in, where a person is shown and types another unit; null where they are the same. */
      readonly unit: FileUnit | null;
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

export type NumberControl = Extract<Control, { kind: 'number' }>;

interface FieldJson {
  readonly unit?: FileUnit;
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

/** "6 to 40.", "10 s to 168 h."; empty where there is no bound to know. */
export function boundsWords(control: Control): string {
  if (control.kind !== 'number') return '';
  return `${numberText(control, control.min)} to ${numberText(control, control.max)}.`;
}

/** A number of the file as the page shows it. */
export function numberText({ unit }: NumberControl, value: number): string {
  return unit === null ? String(value) : formatMeasure(value, unit);
}

/** The number for the file that a text means; null where it is left empty and may be, NaN where it is none. */
export function readNumber({ unit, optional }: NumberControl, text: string): number | null {
  if (optional && text.trim() === '') return null;
  return unit === null ? parseNumber(text) : parseMeasure(text, unit);
}

/** What is wrong with a typed number, as a sentence. Null when it is right. */
export function numberError(field: SettingField, control: NumberControl, text: string): string | null {
  const meanings = twoMeanings(text);
  return meanings === null
    ? fieldError(field, readNumber(control, text))
    : `${field.title} could be ${meanings.join(' or ')}: write it without a separator, or with fewer or more digits behind it.`;
}

/** The field where `min` is the least that counts, whatever the schema takes. */
export function atLeast(field: SettingField, min: number | undefined): SettingField {
  if (min === undefined || field.control.kind !== 'number') return field;
  return { ...field, control: { ...field.control, min } };
}

/** What is wrong with `value`: the field and the bound, as a sentence. Null when it is right. */
export function fieldError(field: SettingField, value: unknown): string | null {
  const { control, title } = field;
  if (control.kind === 'number' && typeof value === 'number') {
    const problem = boundProblem(control, value);
    if (problem !== null) return `${title} ${problem}.`;
  }
  const parsed = field.schema.safeParse(value);
  if (parsed.success) return null;
  const [problem] = describeIssues(parsed.error.issues, value);
  return `${title} ${problem?.message ?? 'is not usable'}.`;
}

/** In the units of the page; what else is wrong the schema says. */
function boundProblem(control: NumberControl, value: number): string | null {
  const { min, max, unit } = control;
  if (Number.isNaN(value)) return unit === null ? null : MEASURE_WORDS[unit];
  if (value >= min && value <= max) return null;
  const bound = value < min ? `at least ${numberText(control, min)}` : `at most ${numberText(control, max)}`;
  return `must be ${bound}, is ${numberText(control, value)}`;
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
      const whole = json.type === 'integer';
      return { kind: 'number', min: minimum, max: maximum, whole, unit: json.unit ?? null, optional: false };
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

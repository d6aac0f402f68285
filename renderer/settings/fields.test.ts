import { describe, expect, it } from 'vitest';
import { microvmSettingsSchema, smolvmSettingsSchema } from '../../shared/settings/engine-settings.ts';
import {
  appearanceSchema,
  profileSchema,
  sandboxLimitsSchema,
  terminalSettingsSchema,
} from '../../shared/settings/schema.ts';
import {
  atLeast,
  boundsWords,
  fieldError,
  fieldsOf,
  matchesSearch,
  type NumberControl,
  numberError,
  readNumber,
  type SettingField,
} from './fields.ts';

function field(fields: readonly SettingField[], key: string): SettingField {
  const found = fields.find((candidate) => candidate.key === key);
  if (found === undefined) throw new Error(`no field ${key}`);
  return found;
}

const appearance = fieldsOf(appearanceSchema);
const terminal = fieldsOf(terminalSettingsSchema);

describe('fieldsOf', () => {
  it('reads a control, a title and a standard for each field of the schema', () => {
    expect(appearance.map((entry) => entry.key)).toEqual(Object.keys(appearanceSchema.shape));
    expect(terminal.map((entry) => entry.key)).toEqual(Object.keys(terminalSettingsSchema.shape));
    expect(field(appearance, 'theme')).toMatchObject({
      title: 'Theme',
      control: { kind: 'choice', options: ['system', 'dark', 'light', 'high-contrast'] },
      standard: 'system',
    });
    expect(field(terminal, 'scrollback').control).toEqual({
      kind: 'number',
      min: 0,
      max: 200_000,
      whole: true,
      unit: null,
      optional: false,
    });
    expect(field(terminal, 'copyOnSelect')).toMatchObject({ control: { kind: 'switch' }, standard: false });
  });

  it('has a title for every field, so that the page never shows a bare key', () => {
    for (const entry of [...appearance, ...terminal, ...fieldsOf(sandboxLimitsSchema)]) {
      expect(entry.title).not.toBe(entry.key);
    }
  });

  it('leaves lists and records to their own editors, and takes texts and numbers that may be none', () => {
    const keys = fieldsOf(profileSchema).map((entry) => entry.key);
    expect(keys).not.toContain('command');
    expect(keys).not.toContain('environment');
    expect(keys).not.toContain('limits');
    expect(field(fieldsOf(profileSchema), 'escapeCharacter').control).toMatchObject({
      kind: 'text',
      optional: true,
    });
    expect(field(fieldsOf(profileSchema), 'keepDays').control).toMatchObject({
      kind: 'number',
      min: 1,
      optional: true,
    });
  });
});

describe('fieldError', () => {
  it('names the field and the bound', () => {
    expect(fieldError(field(appearance, 'fontSize'), 3)).toBe('Terminal font size must be at least 6, is 3.');
    expect(fieldError(field(terminal, 'scrollback'), 300_000)).toBe(
      'Scrollback must be at most 200000, is 300000.',
    );
    expect(fieldError(field(terminal, 'scrollback'), 1.5)).toMatch(/^Scrollback must be a whole number/);
    expect(fieldError(field(appearance, 'fontFamily'), '')).toMatch(
      /^Terminal font must be at least 1 character/,
    );
    expect(fieldError(field(appearance, 'fontSize'), Number.NaN)).toMatch(
      /^Terminal font size must be a number/,
    );
  });

  it('speaks of times and sizes in the units that are typed', () => {
    const lifetime = field(fieldsOf(microvmSettingsSchema), 'lifetimeMs');
    const { control } = lifetime as { control: NumberControl };
    expect(boundsWords(control)).toBe('10 s to 168 h.');
    expect(fieldError(lifetime, readNumber(control, '5 s'))).toBe('Lifetime must be at least 10 s, is 5 s.');
    expect(fieldError(lifetime, readNumber(control, '28800000'))).toMatch(
      /^Lifetime must be a time with its unit, such as/,
    );
    expect(readNumber(control, '8 h')).toBe(28_800_000);
    expect(fieldError(lifetime, 28_800_000)).toBeNull();
    const piece = field(fieldsOf(smolvmSettingsSchema), 'maxInputBytes');
    expect(fieldError(piece, 2_048)).toBe('One input must be at most 1 KiB, is 2 KiB.');
  });

  it('asks which of two numbers is meant', () => {
    const typed = (entry: SettingField, text: string) =>
      numberError(entry, entry.control as NumberControl, text);
    const words = 'write it without a separator, or with fewer or more digits behind it.';
    expect(typed(field(terminal, 'scrollback'), '10,000')).toBe(`Scrollback could be 10000 or 10: ${words}`);
    expect(typed(field(fieldsOf(microvmSettingsSchema), 'lifetimeMs'), '1.500 h')).toBe(
      `Lifetime could be 1500 or 1.5: ${words}`,
    );
    expect(typed(field(terminal, 'scrollback'), '10000')).toBeNull();
    expect(typed(field(terminal, 'scrollback'), '10,5')).toMatch(/^Scrollback must be a whole number/);
  });

  it('knows the bound of an engine above that of the schema', () => {
    const memory = atLeast(field(fieldsOf(sandboxLimitsSchema), 'memoryMiB'), 128);
    expect(boundsWords(memory.control)).toBe('128 to 1048576.');
    expect(fieldError(memory, 127)).toBe('Memory must be at least 128, is 127.');
    expect(fieldError(memory, 128)).toBeNull();
  });

  it('is none for what the schema takes', () => {
    expect(fieldError(field(appearance, 'fontSize'), 14.5)).toBeNull();
    expect(fieldError(field(fieldsOf(profileSchema), 'escapeCharacter'), null)).toBeNull();
  });
});

it('says the bounds before they are broken', () => {
  expect(boundsWords(field(terminal, 'scrollback').control)).toBe('0 to 200000.');
  expect(boundsWords(field(appearance, 'fontSize').control)).toBe('6 to 40.');
  expect(boundsWords(field(appearance, 'theme').control)).toBe('');
});

it('finds a field by every word of a query', () => {
  expect(matchesSearch(field(terminal, 'copyOnSelect'), 'select copy')).toBe(true);
  expect(matchesSearch(field(terminal, 'copyOnSelect'), 'copy bell')).toBe(false);
});

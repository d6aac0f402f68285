import { expect, it } from 'vitest';
import type { Argument } from '../../shared/governed/manifest.ts';
import { argumentHint, argumentLabel } from './argument-words.ts';

const argument: Argument = {
  name: 'ticket',
  position: 1,
  type: 'regex_match',
  required: true,
  description: 'Change ticket',
  default: null,
  allowed: null,
  pattern: '^[A-Z]+-[0-9]+$',
  min: null,
  max: null,
  clamp: false,
  schemes: null,
  scopeCheck: false,
};

it('says what an argument is for and what it may be', () => {
  expect(argumentLabel(argument)).toBe('ticket');
  expect(argumentHint(argument)).toBe('Change ticket · text, matching ^[A-Z]+-[0-9]+$');
  const count: Argument = { ...argument, type: 'integer', description: '', pattern: null, min: 1, max: 9 };
  expect(argumentLabel({ ...count, required: false })).toBe('ticket (optional)');
  expect(argumentHint(count)).toBe('whole number, at least 1, at most 9');
});

it('B24 shows what would not show of what a manifest says', () => {
  const hint = argumentHint({ ...argument, description: 'file \u202Egpj.exe\nhere', pattern: null });
  expect(hint).toBe('file <U+202E>gpj.exe here · text');
});

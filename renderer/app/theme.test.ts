import { expect, it } from 'vitest';
import { themeOf } from './theme.ts';

it('follows the desktop, its contrast first', () => {
  expect(themeOf('system', false, false)).toBe('dark');
  expect(themeOf('system', true, false)).toBe('light');
  expect(themeOf('system', true, true)).toBe('high-contrast');
});

it('takes what a person chose', () => {
  expect(themeOf('light', false, true)).toBe('light');
  expect(themeOf('high-contrast', true, false)).toBe('high-contrast');
});

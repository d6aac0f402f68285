import { expect, it } from 'vitest';
import { formatMeasure, parseMeasure, parseNumber } from './measures.ts';

it.each([
  [28_800_000, 'milliseconds', '8 h'],
  [90_000, 'milliseconds', '90 s'],
  [900_000, 'milliseconds', '15 min'],
  [1_500, 'milliseconds', '1500 ms'],
  [1, 'milliseconds', '1 ms'],
  [262_144, 'bytes', '256 KiB'],
  [1_048_576, 'bytes', '1 MiB'],
  [1_000, 'bytes', '1000 bytes'],
  [1, 'bytes', '1 byte'],
  [0, 'bytes', '0 bytes'],
] as const)('%d %s is "%s", and read back', (value, unit, text) => {
  expect(formatMeasure(value, unit)).toBe(text);
  expect(parseMeasure(text, unit)).toBe(value);
});

it('reads what people write, and takes no number without its unit', () => {
  const times = ['8h', ' 8 hours ', '1,5 min', '0.5 s'].map((text) => parseMeasure(text, 'milliseconds'));
  expect(times).toEqual([28_800_000, 28_800_000, 90_000, 500]);
  expect(parseMeasure('64kib', 'bytes')).toBe(65_536);
  for (const text of ['', '8', 'h', '8 KiB', '-1 s', '1e3 s', '8 h 5 min', '10,000 ms'])
    expect(parseMeasure(text, 'milliseconds')).toBeNaN();
});

it('reads numbers as people write them, and none that could be two', () => {
  expect(['13', ' 1.5 ', '1,5', '-2', '0,125', '1234.567'].map(parseNumber)).toEqual([
    13, 1.5, 1.5, -2, 0.125, 1234.567,
  ]);
  for (const text of ['', 'abc', '1e9', '0x10', '1.2.3', '1 000', '10,000', '1.500', '-1,000'])
    expect(parseNumber(text)).toBeNaN();
});

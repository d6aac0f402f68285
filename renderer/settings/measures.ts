import type { FileUnit } from '../../shared/settings/engine-settings.ts';

/** Each unit with how much of the file's own it is and the words that stand for it, the largest first; the first is shown. */
const MEASURES: Readonly<Record<FileUnit, readonly (readonly [amount: number, ...words: string[]])[]>> = {
  milliseconds: [
    [3_600_000, 'h', 'hour', 'hours'],
    [60_000, 'min', 'minute', 'minutes'],
    [1_000, 's', 'second', 'seconds'],
    [1, 'ms'],
  ],
  bytes: [
    [1024 ** 2, 'MiB'],
    [1024, 'KiB'],
    [1, 'bytes', 'byte'],
  ],
};

/** What a text must be, for a sentence. */
export const MEASURE_WORDS: Readonly<Record<FileUnit, string>> = {
  milliseconds: 'must be a time with its unit, such as 90 s, 15 min or 8 h',
  bytes: 'must be a size with its unit, such as 64 KiB or 1 MiB',
};

/** "8 h", "90 s", "256 KiB": in the largest unit of which it is a whole number. */
export function formatMeasure(value: number, unit: FileUnit): string {
  const fits = ([amount]: readonly [number, ...string[]]) =>
    Math.abs(value) >= amount && value % amount === 0;
  const [amount, word] = MEASURES[unit].find(fits) ?? [1, MEASURES[unit].at(-1)?.[1]];
  return value === 1 && word === 'bytes' ? '1 byte' : `${value / amount} ${word}`;
}

/** A separator with three digits behind it: of thousands in one country, of the fraction in another. */
const AMBIGUOUS = /^[+-]?([1-9]\d{0,2})[.,](\d{3})(?!\d)/;

/** What a text could mean if it could mean two things: "10,000" is 10000 or 10. */
export function twoMeanings(text: string): readonly [grouped: number, fraction: number] | null {
  const [, first, rest] = AMBIGUOUS.exec(text.trim()) ?? [];
  return first === undefined ? null : [Number(`${first}${rest}`), Number(`${first}.${rest}`)];
}

/** Reads a typed number: "1.5" and "1,5" alike. NaN when it is none or could be two. */
export function parseNumber(text: string): number {
  const trimmed = text.trim().replace(',', '.');
  return /^[+-]?\d+(\.\d+)?$/.test(trimmed) && twoMeanings(trimmed) === null ? Number(trimmed) : Number.NaN;
}

/** Reads "8 h", "1,5 min", "64kib" into the file's own unit. NaN for anything else: a bare number could be meant in any unit. */
export function parseMeasure(text: string, unit: FileUnit): number {
  const [, digits = '', word = ''] = /^(\d+(?:[.,]\d+)?)\s*(\p{L}+)$/u.exec(text.trim()) ?? [];
  const found = MEASURES[unit].find(([, ...words]) =>
    words.some((known) => known.toLowerCase() === word.toLowerCase()),
  );
  return found === undefined ? Number.NaN : parseNumber(digits) * found[0];
}

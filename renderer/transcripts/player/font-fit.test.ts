import { expect, it } from 'vitest';
import { fittingFont } from './font-fit.ts';

const needed = { width: 800, height: 400 };

it.each([
  ['as large as the settings say where there is room', { width: 2_000, height: 2_000 }, 13.5],
  ['smaller where it is too wide', { width: 640, height: 2_000 }, 10.75],
  ['smaller where it is too high', { width: 2_000, height: 320 }, 10.75],
  ['no smaller than can be read', { width: 100, height: 100 }, 9],
])('the font of a replay is %s', (_name, room, size) => {
  expect(fittingFont(13.5, needed, room, 13.5)).toBe(size);
});

it('the font of a replay stays below what can be read well where the settings want that', () => {
  expect(fittingFont(7, needed, { width: 2_000, height: 2_000 }, 7)).toBe(7);
});

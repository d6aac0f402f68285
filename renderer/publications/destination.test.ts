import { expect, it } from 'vitest';
import { baseName, byUse, joinPath, nameProblem, onlyFile, splitPath } from './destination.ts';

it('takes paths apart and puts them together', () => {
  expect(baseName('data/report.csv')).toBe('report.csv');
  expect(splitPath('/home/u/report.csv')).toEqual({ folder: '/home/u', name: 'report.csv' });
  expect(splitPath('/report.csv')).toEqual({ folder: '/', name: 'report.csv' });
  expect(joinPath('/home/u', 'a')).toBe('/home/u/a');
  expect(joinPath('/', 'a')).toBe('/a');
});

it.each(['report.csv', 'ein Bericht.txt', 'x'.repeat(255)])('%s is a name', (name) =>
  expect(nameProblem(name)).toBeNull(),
);

it.each(['', ' ', '.', '..', 'a/b', 'a\nb', 'a\u202eb', 'a\tb', 'ä'.repeat(128)])('%j is none', (name) =>
  expect(nameProblem(name)).not.toBeNull(),
);

const file = (path: string, refused: string | null) => ({ path, bytes: 1, modifiedAt: '', refused });

it('takes the one file that can be published, and none where there is a choice or nothing', () => {
  expect(onlyFile([file('a', null), file('b', 'It is a link.')])).toBe('a');
  expect(onlyFile([file('a', null), file('b', null)])).toBeNull();
  expect(onlyFile([file('b', 'It is a link.')])).toBeNull();
  expect(onlyFile([])).toBeNull();
});

it('lists what can be published first', () => {
  const files = [file('z', null), file('a', 'It is a link.'), file('b', null)];
  expect(byUse(files).map(({ path }) => path)).toEqual(['b', 'z', 'a']);
});

import { expect, it } from 'vitest';
import { FOLDER_TARGETS } from '../../../shared/terminal/inside.ts';
import { volumesOf } from './create-options.ts';

const TAKEN = new Set(['/out', FOLDER_TARGETS.scratch]);
const volumes = (...paths: string[]) =>
  volumesOf({ Config: { Env: [], Volumes: Object.fromEntries(paths.map((path) => [path, {}])) } }, TAKEN);

it('volumes of an image are where its daemon puts them, however they are written', () => {
  expect(volumes('/data/', '//var//lib', '/var/../srv', FOLDER_TARGETS.scratch, '/out/')).toEqual([
    '/data',
    '/var/lib',
    '/srv',
  ]);
  expect(volumesOf({ Config: null }, TAKEN)).toEqual([]);
});

it.each([
  'data',
  '',
  '/',
  '/..',
  '/a:b',
  '/a,b',
  '/a\n',
  '/a\u202e',
  `${FOLDER_TARGETS.scratch}/new`,
  '/out/../out/x',
])('an image with a volume at %j, which nothing would bound, is refused', (path) => {
  expect(() => volumes('/data', path)).toThrow('which cannot be bounded');
});

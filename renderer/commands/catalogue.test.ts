import { describe, expect, it } from 'vitest';
import { CATALOGUE, standardKeys } from './catalogue.ts';
import { buildKeyMap, type KeyPlatform, keptByBrowser, parseChord } from './key-map.ts';

const platforms: KeyPlatform[] = ['linux', 'windows', 'mac'];

describe('the standard keys', () => {
  for (const platform of platforms) {
    for (const inBrowser of [false, true]) {
      it(`are free of conflicts on ${platform}${inBrowser ? ' in a browser' : ''}`, () => {
        const keys = standardKeys(platform, inBrowser);
        expect(buildKeyMap(keys, {}, platform).problems).toEqual([]);
      });
    }

    it(`are none that a browser keeps on ${platform}`, () => {
      const kept = [...standardKeys(platform, true)].filter(([, key]) => {
        const chord = key === null ? null : parseChord(key);
        return chord !== null && keptByBrowser(chord, platform);
      });
      expect(kept).toEqual([]);
    });
  }
});

it('has each id and each title once', () => {
  expect(new Set(CATALOGUE.map((command) => command.id)).size).toBe(CATALOGUE.length);
  expect(new Set(CATALOGUE.map((command) => command.title)).size).toBe(CATALOGUE.length);
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TabSignIn, tokenOf } from './tab-sign-in.ts';

/** A tab's address and storage; another `TabSignIn` is the same tab, loaded again. */
const location = { pathname: '/', search: '', hash: '' };

beforeEach(() => {
  const items = new Map<string, string>();
  vi.stubGlobal('window', { location });
  vi.stubGlobal('history', { replaceState: () => Object.assign(location, { hash: '' }) });
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => items.set(name, value),
    removeItem: (name: string) => items.delete(name),
  });
});
afterEach(() => vi.unstubAllGlobals());

const loaded = () => new TabSignIn('airlock');

it.each([
  ['#token=abc_-9', 'abc_-9'],
  ['#other=1&token=abc', 'abc'],
  ['', null],
  ['#', null],
  ['#abc', null],
])('tokenOf(%j) is %j', (hash, token) => {
  expect(tokenOf(hash)).toBe(token);
});

it('a launch has a key of its own, and is the same one however often the tab is loaded again', () => {
  location.hash = '#token=once';
  const launch = loaded().launch();
  expect(launch).toEqual({ token: 'once', key: expect.stringMatching(/^[\w-]{43}$/) });
  expect(location.hash).toBe('');
  expect(loaded().launch()).toEqual(launch);
  expect(loaded().key).toBeNull();
});

it('once it is over, the key is left', () => {
  location.hash = '#token=once';
  const tab = loaded();
  const key = tab.launch()?.key ?? '';
  tab.keep(key);
  tab.launched();
  expect([loaded().launch(), loaded().key]).toEqual([null, key]);
  tab.forget();
  expect(loaded().key).toBeNull();
});

it('a launch that fails leaves the key that the tab had', () => {
  const tab = loaded();
  tab.keep('good');
  location.hash = '#token=guessed';
  expect(tab.launch()?.key).not.toBe('good');
  tab.launched();
  expect([tab.launch(), tab.key]).toEqual([null, 'good']);
});

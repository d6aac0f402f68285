import { describe, expect, test } from 'vitest';
import { mayConnect } from './sender.ts';

const own = { url: 'app://airlock/index.html', origin: 'app://airlock', parent: null };

describe('who gets a port', () => {
  test("the main frame of the app's own page", () => expect(mayConnect(own)).toBe(true));

  test.each([
    ['no frame at all: it has navigated or is gone', null],
    ['a frame inside the page', { ...own, parent: own }],
    ['another origin', { ...own, url: 'https://evil.example/', origin: 'https://evil.example' }],
    ['another host of the scheme', { ...own, url: 'app://evil/index.html', origin: 'app://evil' }],
    ['an opaque origin at the right address', { ...own, origin: 'null' }],
    ['a page without an address', { ...own, url: '' }],
    ['another document of the origin', { ...own, url: 'app://airlock/other.html' }],
    ['about:blank, which inherits the origin', { ...own, url: 'about:blank' }],
  ])('not %s', (_who, frame) => expect(mayConnect(frame)).toBe(false));
});

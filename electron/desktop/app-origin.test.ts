import { describe, expect, test } from 'vitest';
import { isAppUrl, isWithinApp } from './app-origin.ts';

describe('the app origin', () => {
  test.each(['app://airlock/index.html', 'app://airlock/index.html?theme=dark#pane'])(
    '%s is the page',
    (url) => expect(isAppUrl(url)).toBe(true),
  );

  test.each([
    'app://airlock.example/index.html',
    'app://airlock@evil.example/index.html',
    'app://airlock:8080/index.html',
    'app://airlock/other.html',
    'app://airlock/index.html/..',
    'https://airlock/index.html',
    'blob:app://airlock/index.html',
    'about:blank',
    'not an address',
    '',
  ])('%s is not the page', (url) => expect(isAppUrl(url)).toBe(false));

  test.each(['app://airlock/assets/index.js', 'blob:app://airlock/7f0d', 'app://airlock/index.html'])(
    '%s stays within the app',
    (url) => expect(isWithinApp(url)).toBe(true),
  );

  test.each([
    'https://example.org/',
    'http://127.0.0.1/',
    'ws://127.0.0.1/',
    'file:///etc/passwd',
    'app://other/index.html',
    'blob:https://example.org/7f0d',
    'blob:null/7f0d',
    'data:text/html,x',
    'app://airlock.evil.example/index.html',
  ])('%s leaves the app', (url) => expect(isWithinApp(url)).toBe(false));
});

import { describe, expect, test } from 'vitest';
import { isOwnDownload, isPermitted } from './permissions.ts';

const own = { origin: 'app://airlock', isMainFrame: true };

describe('permissions', () => {
  test.each(['clipboard-sanitized-write', 'clipboard-read'])("the app's own page gets %s", (permission) => {
    expect(isPermitted({ ...own, permission })).toBe(true);
    expect(isPermitted({ ...own, origin: 'app://airlock/', permission })).toBe(true);
  });

  test.each([
    'deprecated-sync-clipboard-read',
    'notifications',
    'media',
    'geolocation',
    'fileSystem',
    'openExternal',
    'fullscreen',
    'hid',
    'serial',
    'usb',
    'local-network-access',
    'unknown',
    '',
  ])('nobody gets %s', (permission) => expect(isPermitted({ ...own, permission })).toBe(false));

  test.each([
    { origin: 'https://airlock', isMainFrame: true },
    { origin: 'app://airlock.evil.example', isMainFrame: true },
    { origin: 'null', isMainFrame: true },
    { origin: '', isMainFrame: true },
    { origin: 'app://airlock', isMainFrame: false },
  ])('no clipboard for $origin (main frame: $isMainFrame)', (asker) => {
    expect(isPermitted({ ...asker, permission: 'clipboard-read' })).toBe(false);
  });
});

describe('downloads', () => {
  test('what the page made itself may be saved', () => {
    expect(isOwnDownload('blob:app://airlock/0b9f3c5e-1d2a-4f6b-8c7d-9e0f1a2b3c4d')).toBe(true);
  });

  test.each([
    'app://airlock/index.html',
    'https://airlock/x.cast',
    'blob:https://airlock/x',
    'blob:app://airlock.evil.example/x',
    'data:text/plain,x',
    '',
  ])('%s is not', (url) => {
    expect(isOwnDownload(url)).toBe(false);
  });
});

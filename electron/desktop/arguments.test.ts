import { describe, expect, test } from 'vitest';
import { readArguments } from './arguments.ts';

describe('the command line of the desktop', () => {
  test.each([
    [[], { dataDir: undefined, newWindow: false }],
    [['--data-dir', '/d'], { dataDir: '/d', newWindow: false }],
    [['--data-dir=/d', '--new-window'], { dataDir: '/d', newWindow: true }],
    [
      ['/opt/airlock', '--ozone-platform=wayland', '--new-window', 'x'],
      { dataDir: undefined, newWindow: true },
    ],
    [['--approval-timeout', '60'], { approvalTimeout: '60', dataDir: undefined }],
    [['--data-dir'], { dataDir: undefined, newWindow: false }],
    [['--inspect=0', '--data-dir', '/a b'], { dataDir: '/a b', newWindow: false }],
  ])('%j', (argv, expected) => expect(readArguments(argv)).toMatchObject(expected));
});

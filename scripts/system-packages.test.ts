import { expect, it } from 'vitest';
import { installCommands } from './system-packages.ts';

it('names the exact command of each system for what is missing', () => {
  expect(installCommands(['bubblewrap', 'chromium', 'xvfb'], 'linux')).toEqual([
    'Debian, Ubuntu: sudo apt-get install --no-install-recommends bubblewrap chromium xvfb',
    'Fedora:         sudo dnf install bubblewrap chromium xorg-x11-server-Xvfb',
    'Arch:           sudo pacman -S bubblewrap chromium xorg-server-xvfb',
  ]);
  expect(installCommands(['bubblewrap', 'chromium'], 'darwin')).toEqual([
    'macOS:          brew install --cask chromium',
  ]);
});

it('names none where there is none', () => {
  expect(installCommands(['bubblewrap', 'xvfb'], 'darwin')).toEqual([]);
  expect(installCommands(['bubblewrap'], 'win32')).toEqual([]);
});

import { mkdtempSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installCommands, keepFromStarting } from './system-packages.ts';

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

it('keeps the services of packages from starting, but for those that somebody has set up', () => {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-units-'));
  try {
    writeFileSync(join(folder, 'mine.service'), '');
    for (let time = 0; time < 2; time++) keepFromStarting(['ssh.service', 'mine.service'], folder);
    expect(readlinkSync(join(folder, 'ssh.service'))).toBe('/dev/null');
    expect(statSync(join(folder, 'mine.service')).isFile()).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, test } from 'vitest';
import { menuTemplate } from './menu-template.ts';

type Item = MenuItemConstructorOptions;

function everyItem(items: Item[]): Item[] {
  return items.flatMap((item) => [item, ...everyItem((item.submenu as Item[] | undefined) ?? [])]);
}

function menuOf(platform: NodeJS.Platform, isPackaged = true) {
  const nothing = () => {};
  const menu = menuTemplate({
    platform,
    isPackaged,
    runCommand: nothing,
    openWindow: nothing,
    quit: nothing,
    toggleFullScreen: nothing,
  });
  return everyItem(menu);
}

describe.each(['linux', 'win32', 'darwin'] as const)('the menu on %s', (platform) => {
  test('has no reload and no developer tools once packaged', () => {
    const roles = menuOf(platform).map(({ role }) => role);
    for (const role of [
      'reload',
      'forceReload',
      'toggleDevTools',
      'viewMenu',
      'editMenu',
      'fileMenu',
    ] as const) {
      expect(roles).not.toContain(role);
    }
  });
});

describe.each(['linux', 'win32'] as const)('keys of the menu on %s', (platform) => {
  test('are none that a shell needs', () => {
    const items = menuOf(platform);
    // Every other role brings a key of its own: Ctrl+W, Ctrl+M, Ctrl+Q, Ctrl+R, F11 …
    const keyless: unknown[] = [undefined, 'help', 'about'];
    for (const { role, accelerator, registerAccelerator } of items) {
      if (keyless.includes(role)) expect(accelerator).toBeUndefined();
      else expect([role, registerAccelerator]).toEqual([expect.stringMatching(/^(copy|paste)$/), false]);
    }
  });
});

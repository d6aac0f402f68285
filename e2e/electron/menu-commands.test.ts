import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, test } from 'vitest';
import { menuTemplate } from '../../electron/desktop/menu-template.ts';
import { CATALOGUE } from '../../renderer/commands/catalogue.ts';

type Item = MenuItemConstructorOptions;

function everyItem(items: Item[]): Item[] {
  return items.flatMap((item) => [item, ...everyItem((item.submenu as Item[] | undefined) ?? [])]);
}

function menuOf(platform: NodeJS.Platform, isPackaged = true) {
  const ran: string[] = [];
  const nothing = () => {};
  const menu = menuTemplate({
    platform,
    isPackaged,
    runCommand: (id) => ran.push(id),
    openWindow: nothing,
    quit: nothing,
    toggleFullScreen: nothing,
  });
  return { items: everyItem(menu), ran };
}

const click = (item: Item) => item.click?.({} as never, undefined, {} as never);

describe.each(['linux', 'win32', 'darwin'] as const)('the menu on %s', (platform) => {
  test('runs commands that the page has', () => {
    const { items, ran } = menuOf(platform);
    for (const item of items) click(item);
    const known = CATALOGUE.map(({ id }) => id);
    expect(ran.length).toBeGreaterThan(10);
    expect(ran.filter((id) => !known.includes(id))).toEqual([]);
  });

  test('names each command as the page does', () => {
    const { items, ran } = menuOf(platform);
    for (const item of items) {
      const before = ran.length;
      click(item);
      const [id] = ran.slice(before);
      if (id) expect(item.label).toBe(CATALOGUE.find((command) => command.id === id)?.title);
    }
  });
});

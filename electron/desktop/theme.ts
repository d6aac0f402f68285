import { BrowserWindow, nativeTheme } from 'electron';
import type { Settings } from '../../shared/settings/schema.ts';
import type { SettingsStore } from '../settings/settings-store.ts';

type ThemeSetting = Settings['appearance']['theme'];

/** The page's `--background` of each theme (renderer/ui/tokens.css), so that a window never flashes another colour. */
const BACKGROUND = { dark: '#0e1013', light: '#f4f5f7', 'high-contrast': '#000000' } as const;

export function windowBackground(setting: ThemeSetting): string {
  if (setting !== 'system') return BACKGROUND[setting];
  if (nativeTheme.shouldUseHighContrastColors) return BACKGROUND['high-contrast'];
  return nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light;
}

/** Title bars, menus and dialogs follow the theme of the settings; windows keep its background. */
export function setupTheme(settings: SettingsStore): void {
  const setting = () => settings.snapshot().settings.appearance.theme;
  const paintWindows = () => {
    for (const window of BrowserWindow.getAllWindows())
      window.setBackgroundColor(windowBackground(setting()));
  };
  const apply = () => {
    nativeTheme.themeSource = themeSource(setting());
    paintWindows();
  };
  nativeTheme.on('updated', paintWindows);
  settings.onChange(apply);
  apply();
}

function themeSource(setting: ThemeSetting): 'system' | 'light' | 'dark' {
  return setting === 'high-contrast' ? 'dark' : setting;
}

import { type Disposable, toDisposable } from '../../shared/disposable.ts';
import { useSettings } from '../state/settings-store.ts';

export type Theme = 'dark' | 'light' | 'high-contrast';
type ThemeSetting = 'system' | Theme;

const QUERIES = ['(prefers-color-scheme: light)', '(prefers-contrast: more)'] as const;

/** What `setting` means on a desktop that wants `light` or more `contrast`. */
export function themeOf(setting: ThemeSetting, light: boolean, contrast: boolean): Theme {
  if (setting !== 'system') return setting;
  if (contrast) return 'high-contrast';
  return light ? 'light' : 'dark';
}

/** Keeps `data-theme` on the root element in step with the setting and the desktop, and tells `onChange` of each theme. */
export function followTheme(onChange: (theme: Theme) => void): Disposable {
  const queries = QUERIES.map((query) => window.matchMedia(query));
  const apply = () => {
    const [light, contrast] = queries.map((query) => query.matches);
    const setting = useSettings.getState().settings.appearance.theme;
    const theme = themeOf(setting, light === true, contrast === true);
    if (document.documentElement.dataset['theme'] === theme) return;
    document.documentElement.dataset['theme'] = theme;
    onChange(theme);
  };
  for (const query of queries) query.addEventListener('change', apply);
  const unsubscribe = useSettings.subscribe(apply);
  apply();
  return toDisposable(() => {
    for (const query of queries) query.removeEventListener('change', apply);
    unsubscribe();
  });
}

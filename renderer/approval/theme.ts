import type { ApprovalPage } from './approval-page.ts';

const QUERIES = ['(prefers-contrast: more)', '(prefers-color-scheme: light)'] as const;

/** Keeps `data-theme` on the root element in step with the host's setting and the desktop, as the main page does. */
export function startTheme(page: ApprovalPage): void {
  const queries = QUERIES.map((query) => window.matchMedia(query));
  const apply = () => {
    const { theme } = page.state;
    const [contrast, light] = queries.map((query) => query.matches);
    const system = contrast ? 'high-contrast' : light ? 'light' : 'dark';
    document.documentElement.dataset['theme'] = theme === 'system' ? system : theme;
  };
  for (const query of queries) query.addEventListener('change', apply);
  page.subscribe(apply);
  apply();
}

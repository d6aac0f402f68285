import type { ISearchDecorationOptions } from '@xterm/addon-search';
import type { ITheme } from '@xterm/xterm';

const ANSI = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

/** xterm's theme from the custom properties (`--term-…` in renderer/ui/tokens.css) that `element` inherits. A property that is missing leaves xterm's own colour. */
export function themeOf(element: Element): ITheme {
  const style = getComputedStyle(element);
  const theme: Record<string, string> = {};
  const take = (key: keyof ITheme, token: string) => {
    const value = style.getPropertyValue(token).trim();
    if (value !== '') theme[key] = value;
  };
  take('background', '--term-background');
  take('foreground', '--term-foreground');
  take('cursor', '--term-cursor');
  take('cursorAccent', '--term-cursor-text');
  take('selectionBackground', '--term-selection');
  take('selectionInactiveBackground', '--term-selection-inactive');
  for (const name of ANSI) {
    take(name, `--term-${name}`);
    take(brightKey(name), `--term-bright-${name}`);
  }
  return theme;
}

/** How found text is marked. */
export function matchColours(element: Element): ISearchDecorationOptions {
  const style = getComputedStyle(element);
  const match = style.getPropertyValue('--term-match').trim() || '#5a4a12';
  const active = style.getPropertyValue('--term-match-active').trim() || '#b58900';
  return {
    matchBackground: match,
    matchOverviewRuler: match,
    activeMatchBackground: active,
    // The match is also the selection, whose background covers its own.
    activeMatchBorder: active,
    activeMatchColorOverviewRuler: active,
  };
}

function brightKey(name: (typeof ANSI)[number]): keyof ITheme {
  return `bright${name.charAt(0).toUpperCase()}${name.slice(1)}` as keyof ITheme;
}

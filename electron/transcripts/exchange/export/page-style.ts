const DARK = `
  color-scheme: dark;
  --page: #0e1013; --page-text: #e6e8eb; --page-muted: #9aa3ad; --page-line: #3a414a; --page-hover: #20252b;
  --page-accent: #4cc2a8;`;
const DARK_TERMINAL = `
  --term-color-foreground: #e6e8eb; --term-color-background: #0b0d10;
  --term-color-0: #2b3138; --term-color-1: #ef6b73; --term-color-2: #6cc986; --term-color-3: #e0b45c;
  --term-color-4: #7aa7f5; --term-color-5: #c792ea; --term-color-6: #56c2c2; --term-color-7: #cfd4da;
  --term-color-8: #7d8794; --term-color-9: #ff8f8f; --term-color-10: #8fe0a4; --term-color-11: #f2cd7f;
  --term-color-12: #9dc0ff; --term-color-13: #dcb0f7; --term-color-14: #7fdcdc; --term-color-15: #ffffff;`;
const LIGHT = `
  color-scheme: light;
  --page: #f4f5f7; --page-text: #1b1f24; --page-muted: #59636e; --page-line: #c9ced5; --page-hover: #ebedf0;
  --page-accent: #0b7a66;`;
const LIGHT_TERMINAL = `
  --term-color-foreground: #1b1f24; --term-color-background: #ffffff;
  --term-color-0: #1b1f24; --term-color-1: #b3261e; --term-color-2: #1d7f3b; --term-color-3: #8a5a00;
  --term-color-4: #1f5fbf; --term-color-5: #8b3fa8; --term-color-6: #0b7285; --term-color-7: #68717c;
  --term-color-8: #59636e; --term-color-9: #c4372a; --term-color-10: #24803f; --term-color-11: #8f6100;
  --term-color-12: #2f6fd0; --term-color-13: #9a4fb8; --term-color-14: #127a8d; --term-color-15: #3a414a;`;

/** Of an exported page: light or dark as the browser asks for, the colours of Airlock's own terminals. */
export const PAGE_STYLE = `
:root {${LIGHT}
}
.asciinema-player-theme-airlock {${LIGHT_TERMINAL}
}
@media (prefers-color-scheme: dark) {
  :root {${DARK}
  }
  .asciinema-player-theme-airlock {${DARK_TERMINAL}
  }
}
body { margin: 0; background: var(--page); color: var(--page-text); font: 14px/1.5 system-ui, sans-serif; }
main { max-width: 1200px; margin: 0 auto; padding: 24px; }
h1 { margin: 0; font-size: 20px; overflow-wrap: anywhere; }
h2 { margin: 24px 0 8px; font-size: 15px; }
.facts, details, noscript { color: var(--page-muted); }
.facts { margin: 4px 0 16px; }
#player {
  max-width: calc(var(--columns) * 10px + 32px); border: 1px solid var(--page-line); border-radius: 6px; overflow: hidden;
}
ol { margin: 0; padding: 0; list-style: none; }
li button {
  display: block; width: 100%; padding: 4px 8px; border: 0; border-radius: 4px; background: none; color: inherit;
  font: inherit; text-align: start; overflow-wrap: anywhere; cursor: pointer;
}
li button:hover { background: var(--page-hover); }
:focus-visible { outline: 2px solid var(--page-accent); outline-offset: 1px; }
.time { color: var(--page-muted); font-variant-numeric: tabular-nums; margin-inline-end: 8px; }
details { margin-top: 24px; }
pre { white-space: pre-wrap; }
`;

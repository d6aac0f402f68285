import '@xterm/xterm/css/xterm.css';
import { WebglAddon } from '@xterm/addon-webgl';
import { Terminal } from '@xterm/xterm';

export const query = new URLSearchParams(location.search);

/** xterm.js with the size and the renderer that the address names and nothing else changed but font and scrollback. */
export function openTerminal(): Terminal {
  const terminal = new Terminal({
    cols: Number(query.get('cols')),
    rows: Number(query.get('rows')),
    fontFamily: 'monospace',
    fontSize: 13.5,
    lineHeight: 1.1,
    scrollback: 10_000,
  });
  terminal.open(document.body);
  if (query.get('renderer') === 'webgl') terminal.loadAddon(new WebglAddon());
  terminal.focus();
  return terminal;
}

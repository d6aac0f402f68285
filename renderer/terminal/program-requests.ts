import type { Terminal } from '@xterm/xterm';
import { type Disposable, DisposableStore } from '../../shared/disposable.ts';
import { type ClipboardRequest, readClipboardRequest } from '../../shared/terminal/clipboard-policy.ts';
import {
  LINK_LINES_MAX,
  LINK_MARKERS_MAX,
  LINK_MAX_CHARS,
  SEQUENCE_MAX_CHARS,
} from '../../shared/terminal/limits.ts';
import { boundLinkLines, boundPayloads, clampCount, forgetMarkers } from './xterm-internals.ts';

/**
 * Sequences whose count xterm takes at its word, up to two thousand million: a dozen bytes would hang the page with every
 * session in it, or take all its memory. More than the screen has changes nothing.
 */
const PER_ROW = ['L', 'M', 'S', 'T'] as const; // insert, delete lines; scroll up, down
const PER_COLUMN = ['I', 'Z'] as const; // tabs forward, backward
const REPEAT = 'b'; // the character before

/**
 * The requests of programs that xterm must not serve, or not without bound. Nothing here is ever answered: a clipboard
 * read (B13) gets no reply at all, and window and title reports stay off in xterm's options (B15).
 */
export function limitProgramRequests(
  terminal: Terminal,
  onClipboard: (request: ClipboardRequest) => void,
): Disposable {
  const handlers = new DisposableStore();
  handlers.add(
    terminal.parser.registerOscHandler(52, (payload) => {
      onClipboard(readClipboardRequest(payload));
      return true;
    }),
  );
  handlers.add(terminal.parser.registerOscHandler(8, (payload) => !mayOpenLink(terminal, payload)));
  boundLinkLines(terminal, LINK_LINES_MAX, LINK_MARKERS_MAX);
  handlers.add(
    terminal.parser.registerEscHandler({ final: 'c' }, () => {
      forgetMarkers(terminal);
      return false;
    }),
  );
  boundPayloads(terminal, SEQUENCE_MAX_CHARS);
  for (const final of PER_ROW) handlers.add(clampCount(terminal, final, () => terminal.rows));
  for (const final of PER_COLUMN) handlers.add(clampCount(terminal, final, () => terminal.cols));
  handlers.add(clampCount(terminal, REPEAT, () => terminal.cols * terminal.rows));
  return handlers;
}

/**
 * xterm keeps a marker and the target of every OSC 8 link, even of one without text: a flood of links would take all
 * memory of the page. Its target is bounded, and the oldest marker makes room for it. Ending a link is always served.
 */
function mayOpenLink(terminal: Terminal, payload: string): boolean {
  const target = payload.slice(payload.indexOf(';') + 1);
  if (target === '') return true;
  if (payload.length > LINK_MAX_CHARS * 2) return false;
  if (terminal.markers.length >= LINK_MARKERS_MAX) terminal.markers[0]?.dispose();
  return true;
}

import type { Terminal } from '@xterm/xterm';
import type { Disposable } from '../../shared/disposable.ts';
import { ANNOUNCEMENT_MAX_CHARS } from '../../shared/terminal/limits.ts';
import { pendingAnnouncement, replaceAnnouncement } from './xterm-internals.ts';

/**
 * xterm announces at most 20 lines between two keys and then says once that there is more. A line without an end has no
 * bound there: this gives it one, so that a flood neither fills the page's memory nor a screen reader (B34).
 */
export function boundAnnouncements(terminal: Terminal): Disposable {
  return terminal.onWriteParsed(() => {
    const collected = pendingAnnouncement(terminal);
    if (collected !== null && collected > ANNOUNCEMENT_MAX_CHARS) {
      replaceAnnouncement(terminal, 'Too much output to announce.');
    }
  });
}

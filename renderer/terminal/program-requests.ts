import type { Terminal } from '@xterm/xterm';
import { type Disposable, DisposableStore } from '../../shared/disposable.ts';
import { boundRequests } from '../../shared/terminal/bounded-requests.ts';
import { type ClipboardRequest, readClipboardRequest } from '../../shared/terminal/clipboard-policy.ts';

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
  handlers.add(boundRequests(terminal));
  return handlers;
}

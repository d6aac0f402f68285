import { Terminal } from '@xterm/xterm';
import { type Disposable, DisposableStore } from '../../shared/disposable.ts';
import type { Emitter } from '../../shared/emitter.ts';
import { BELL_MIN_INTERVAL_MS, TITLE } from '../../shared/terminal/limits.ts';
import { cleanTitle } from '../../shared/terminal/title.ts';
import { joinGraphemes } from './bounded-graphemes.ts';
import { type LinkListener, oscLinkHandler, plainLinks } from './links.ts';
import type { TerminalEvents } from './terminal-events.ts';
import { FIXED_OPTIONS, settingsOptions, type TerminalSettings } from './terminal-options.ts';
import { Throttle } from './throttle.ts';

/** An xterm with links by our policy and bounded graphemes; not opened, nothing listening to it yet. */
export function createTerminal(
  settings: TerminalSettings,
  mac: boolean,
  events: Emitter<TerminalEvents>,
): Terminal {
  const links: LinkListener = {
    requested: (link) => events.fire('linkRequested', link),
    hovered: (hover) => events.fire('linkHovered', hover),
  };
  const terminal: Terminal = new Terminal({
    ...FIXED_OPTIONS,
    ...settingsOptions(settings, 0),
    linkHandler: oscLinkHandler(() => terminal, links, mac),
    rightClickSelectsWord: mac,
  });
  joinGraphemes(terminal);
  terminal.loadAddon(plainLinks(links, mac));
  return terminal;
}

/** Tells titles, cleaned, and bells, neither of them more often than a person can follow (B15). */
export function watchSignals(terminal: Terminal, events: Emitter<TerminalEvents>): Disposable {
  const watching = new DisposableStore();
  const titles = watching.add(
    new Throttle<string>(TITLE.minIntervalMs, (title) => events.fire('title', title)),
  );
  const bells = watching.add(
    new Throttle<undefined>(BELL_MIN_INTERVAL_MS, () => events.fire('bell', undefined)),
  );
  watching.add(terminal.onTitleChange((title) => titles.offer(cleanTitle(title))));
  watching.add(terminal.onBell(() => bells.offer(undefined)));
  watching.add(terminal.onSelectionChange(() => events.fire('selectionChanged', terminal.hasSelection())));
  return watching;
}

import { WebLinksAddon } from '@xterm/addon-web-links';
import type { IBufferRange, ILinkHandler, Terminal } from '@xterm/xterm';
import { checkLink } from '../../shared/terminal/link-policy.ts';
import type { LinkHover, TerminalLink } from './terminal-events.ts';
import { linksOfLine } from './xterm-internals.ts';

/**
 * An address in plain text: up to a blank, quote or bracket, with pairs of round brackets inside, not ending in a mark
 * of punctuation.
 */
const PLAIN_LINK =
  /https?:\/\/(?:[^\s"'!*(){}|\\^<>`]|\([^\s"'!*(){}|\\^<>`]*\))*(?:[^\s"':,.!?(){}|\\^~[\]`<>*]|\([^\s"'!*(){}|\\^<>`]*\))/i;

export interface LinkListener {
  requested(link: TerminalLink): void;
  hovered(hover: LinkHover | null): void;
}

/** Links open by a click with Ctrl (Cmd on macOS), and never by xterm itself, which would open a window (B14). */
export function oscLinkHandler(terminal: () => Terminal, listener: LinkListener, mac: boolean): ILinkHandler {
  const link = (target: string, range: IBufferRange) => describeLink(target, textOf(terminal(), range));
  return {
    // The policy is ours: a refused link is shown with its reason instead of looking like plain text.
    allowNonHttpProtocols: true,
    activate: (event, target, range) => {
      if (isActivation(event, mac)) listener.requested(link(target, range));
    },
    hover: (event, target, range) => listener.hovered({ ...link(target, range), ...at(event) }),
    leave: () => listener.hovered(null),
  };
}

/** The same for addresses in plain text, whose label is their target. */
export function plainLinks(listener: LinkListener, mac: boolean): WebLinksAddon {
  const activate = (event: MouseEvent, target: string) => {
    if (isActivation(event, mac)) listener.requested(describeLink(target, target));
  };
  return new WebLinksAddon(activate, {
    urlRegex: PLAIN_LINK,
    hover: (event, target) => listener.hovered({ ...describeLink(target, target), ...at(event) }),
    leave: () => listener.hovered(null),
  });
}

/** The links on the visible lines from top to bottom, each once: for opening them by keyboard. */
export function visibleLinks(terminal: Terminal): TerminalLink[] {
  const links = new Map<string, TerminalLink>();
  const { viewportY } = terminal.buffer.active;
  for (let line = viewportY + 1; line <= viewportY + terminal.rows; line += 1) {
    for (const { text, range } of linksOfLine(terminal, line)) {
      const link = describeLink(text, textOf(terminal, range));
      links.set(`${link.label}\n${link.target}`, link);
    }
  }
  return [...links.values()];
}

function describeLink(target: string, label: string): TerminalLink {
  return { label, target, verdict: checkLink(target) };
}

function isActivation(event: MouseEvent, mac: boolean): boolean {
  return event.button === 0 && (mac ? event.metaKey : event.ctrlKey);
}

function at(event: MouseEvent): { x: number; y: number } {
  return { x: event.clientX, y: event.clientY };
}

/** The text of a range, whose ends are 1-based and inclusive. */
function textOf(terminal: Terminal, { start, end }: IBufferRange): string {
  let text = '';
  for (let y = start.y; y <= end.y; y += 1) {
    const from = y === start.y ? start.x - 1 : 0;
    const to = y === end.y ? end.x : terminal.cols;
    text += terminal.buffer.active.getLine(y - 1)?.translateToString(y === end.y, from, to) ?? '';
  }
  return text.trim();
}

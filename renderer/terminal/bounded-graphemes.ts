import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import type { Terminal } from '@xterm/xterm';
import { joinGraphemesWith } from '../../shared/terminal/bounded-graphemes.ts';

/** What shares a cell, as everywhere in Airlock: grapheme clusters, within a bound. */
export function joinGraphemes(terminal: Pick<Terminal, 'unicode'>): void {
  joinGraphemesWith(new UnicodeGraphemesAddon(), terminal);
}

import { SearchAddon } from '@xterm/addon-search';
import type { Terminal } from '@xterm/xterm';
import type { Emitter } from '../../shared/emitter.ts';
import { FIND_LINE_MAX_ROWS } from '../../shared/terminal/limits.ts';
import type { TerminalEvents } from './terminal-events.ts';
import { matchColours } from './theme.ts';
import { withShortLines } from './xterm-internals.ts';

export interface FindOptions {
  readonly caseSensitive?: boolean;
  readonly wholeWord?: boolean;
  readonly regex?: boolean;
  /** Stays at the match that is shown. */
  readonly incremental?: boolean;
}

/** Finds text in the screen and scrollback and marks it. */
export class Finder {
  readonly #terminal: Terminal;
  readonly #search = new BoundedSearch();
  /** The options of the last find, as text. */
  #foundWith = '';
  /** Does the last find again in place; null when nothing is marked. */
  #again: (() => boolean) | null = null;

  constructor(terminal: Terminal, events: Emitter<TerminalEvents>) {
    this.#terminal = terminal;
    terminal.loadAddon(this.#search);
    this.#search.onDidChangeResults(({ resultIndex, resultCount }) =>
      events.fire('findResults', { index: resultIndex, count: resultCount }),
    );
  }

  /** False when nothing matches or `text` is not a valid pattern. `coloured` carries the colours of matches. */
  find(text: string, direction: 'next' | 'previous', options: FindOptions, coloured: Element): boolean {
    this.#again = () => this.find(text, direction, { ...options, incremental: true }, coloured);
    this.#lookAnew(options);
    const search = { ...options, decorations: matchColours(coloured) };
    try {
      return direction === 'next'
        ? this.#search.findNext(text, search)
        : this.#search.findPrevious(text, search);
    } catch {
      return false;
    }
  }

  /** What is marked gets the colours of now, after a change of theme. The match that is shown stays the one. */
  recolour(): void {
    if (this.#again === null) return;
    this.#search.clearDecorations();
    this.#again();
  }

  end(): void {
    this.#again = null;
    this.#search.clearDecorations();
    this.#terminal.clearSelection();
  }

  /** The add-on looks anew for another text, but not for the same one with other options. */
  #lookAnew(options: FindOptions): void {
    const wanted = JSON.stringify(options);
    if (wanted !== this.#foundWith) this.#search.clearDecorations();
    this.#foundWith = wanted;
  }
}

/**
 * The add-on goes back to the beginning of a line from each of its rows: seconds for one key in a line that fills the
 * scrollback, and nothing found when that beginning is gone (B30). It also calls these by itself when output has come.
 */
class BoundedSearch extends SearchAddon {
  #terminal: Terminal | null = null;
  /** What the last find has selected, as text. */
  #matchAt = '';

  override activate(terminal: Terminal): void {
    this.#terminal = terminal;
    super.activate(terminal);
  }

  override findNext(...search: Parameters<SearchAddon['findNext']>): boolean {
    return this.#bounded(() => super.findNext(...search));
  }

  /** By itself the add-on does so without scrolling; what a person has selected since stays selected then. */
  override findPrevious(...search: Parameters<SearchAddon['findPrevious']>): boolean {
    const [, , own] = search as readonly unknown[] as [string, object, { noScroll: boolean }?];
    const kept = own?.noScroll === true ? this.#selectedByPerson() : null;
    const found = this.#bounded(() => super.findPrevious(...search));
    if (kept !== null) this.#terminal?.select(kept.column, kept.row, kept.length);
    return found;
  }

  #bounded(look: () => boolean): boolean {
    if (this.#terminal === null) return false;
    const found = withShortLines(this.#terminal, FIND_LINE_MAX_ROWS, look);
    this.#matchAt = JSON.stringify(this.#terminal.getSelectionPosition() ?? null);
    return found;
  }

  #selectedByPerson(): { column: number; row: number; length: number } | null {
    const terminal = this.#terminal;
    const position = terminal?.getSelectionPosition();
    if (!terminal || !position || JSON.stringify(position) === this.#matchAt) return null;
    const { start, end } = position;
    return {
      column: start.x,
      row: start.y,
      length: (end.y - start.y) * terminal.cols + end.x - start.x,
    };
  }
}

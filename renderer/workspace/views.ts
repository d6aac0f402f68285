import type { Disposable } from '../../shared/disposable.ts';
import { KEY_PLATFORM, useKeys } from '../commands/current-keys.ts';
import { chordOf, chordText } from '../commands/key-map.ts';
import { announce } from '../state/announcements-store.ts';
import { changePane, paneOf, showAsk, showMessage } from '../state/panes-store.ts';
import { useSettings } from '../state/settings-store.ts';
import { changeLayout } from '../state/workspace-store.ts';
import type { TerminalLink } from '../terminal/terminal-events.ts';
import { TerminalView } from '../terminal/terminal-view.ts';
import { focusPane } from './layout.ts';
import type { PaneId } from './layout-tree.ts';

/** Pixels that one step of "Larger text" adds, and the bounds of all steps together. */
const ZOOM = { step: 1, min: -8, max: 24 };

/**
 * The terminals of all panes, kept while panes move between layouts. Brings what a terminal tells to its pane's state;
 * bytes never come by here.
 */
export class Views {
  readonly #views = new Map<PaneId, TerminalView>();
  readonly #onHeldInput: (pane: PaneId) => void;
  #zoom = 0;

  /** `onHeldInput`: a key was pressed in a suspended pane. */
  constructor(onHeldInput: (pane: PaneId) => void) {
    this.#onHeldInput = onHeldInput;
    useSettings.subscribe((state, before) => {
      if (state.settings !== before.settings) this.refresh();
    });
  }

  create(pane: PaneId, label: string): TerminalView {
    const view = new TerminalView({
      settings: useSettings.getState().settings,
      mac: KEY_PLATFORM === 'mac',
      label,
      takesKey: isCommandKey,
    });
    view.setZoom(this.#zoom);
    this.#views.set(pane, view);
    this.#watch(pane, view);
    return view;
  }

  get(pane: PaneId | null): TerminalView | null {
    return pane === null ? null : (this.#views.get(pane) ?? null);
  }

  /** Gives a terminal its place. Colours are read anew: without a place there were none to read. */
  attach(pane: PaneId, place: HTMLElement): void {
    const view = this.#views.get(pane);
    view?.attach(place);
    view?.applySettings(useSettings.getState().settings);
  }

  remove(pane: PaneId): void {
    this.#views.get(pane)?.dispose();
    this.#views.delete(pane);
  }

  /** Reads settings and colours anew. */
  refresh(): void {
    for (const view of this.#views.values()) view.applySettings(useSettings.getState().settings);
  }

  /** Larger or smaller text in every pane; 0 is the size of the settings. */
  zoomBy(steps: number): void {
    this.#setZoom(Math.min(ZOOM.max, Math.max(ZOOM.min, this.#zoom + steps * ZOOM.step)));
  }

  resetZoom(): void {
    this.#setZoom(0);
  }

  #setZoom(pixels: number): void {
    this.#zoom = pixels;
    for (const view of this.#views.values()) view.setZoom(pixels);
  }

  #watch(pane: PaneId, view: TerminalView): Disposable[] {
    const say = (text: string) => showMessage(pane, text);
    return [
      view.on('title', (title) => changePane(pane, { title })),
      view.on('bell', () => {
        if (useSettings.getState().settings.terminal.bell === 'mark' && !view.focused)
          changePane(pane, { bell: true });
      }),
      view.on('focusChanged', (focused) => {
        if (!focused) return;
        changeLayout((layout) => focusPane(layout, pane));
        changePane(pane, { bell: false });
      }),
      view.on('selectionChanged', (hasSelection) => changePane(pane, { hasSelection })),
      view.on('sizeChanged', (size) => changePane(pane, { size })),
      view.on('linkRequested', (link) => requestLink(pane, link)),
      view.on('linkHovered', (hovered) => changePane(pane, { hovered })),
      view.on('pasteNeedsConfirmation', (paste) => showAsk(pane, { kind: 'paste', paste })),
      view.on('clipboardWriteRequested', (request) => {
        // A text that is being read must not change under the pointer: until it is answered, others are dropped.
        const asked = paneOf(pane)?.asks.some(({ kind }) => kind === 'clipboard');
        if (asked) return;
        showAsk(pane, { kind: 'clipboard', request });
        announce(`${paneOf(pane)?.profile.name}: the program wants to set the clipboard.`);
      }),
      view.on('clipboardWritten', ({ chars }) =>
        say(`The program put ${chars} characters on the clipboard.`),
      ),
      view.on('findResults', (results) =>
        changePane(pane, ({ find }) => (find === null ? {} : { find: { ...find, ...results } })),
      ),
      view.on('heldInput', () => this.#onHeldInput(pane)),
      view.on('refused', say),
    ];
  }
}

/** Shows where a link really goes before it is opened, or why it is not (B14). */
export function requestLink(pane: PaneId, link: TerminalLink): void {
  const { verdict } = link;
  if (verdict.ok) showAsk(pane, { kind: 'link', link, href: verdict.href });
  else showMessage(pane, `This link is not opened. ${verdict.reason}`);
}

function isCommandKey(event: KeyboardEvent): boolean {
  const chord = chordOf(event);
  return chord !== null && useKeys.getState().map.commandOf.has(chordText(chord));
}

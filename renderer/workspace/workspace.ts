import { flushSync } from 'react-dom';
import {
  type Closing,
  dropAsk,
  isLive,
  paneOf,
  showAsk,
  showMessage,
  usePanes,
} from '../state/panes-store.ts';
import { changeLayout, useWorkspace } from '../state/workspace-store.ts';
import { ARMING_MS } from '../ui/arming.ts';
import {
  activateTab,
  activateTabBy,
  activePaneOf,
  addTab,
  closePane,
  findTab,
  focusPane,
  type Layout,
  moveTab,
  nudgeDivider,
  splitPane,
  type TabId,
  toggleMaximised,
  withoutTab,
} from './layout.ts';
import { type Direction, neighbour, type PaneId, panesOf } from './layout-tree.ts';
import type { OpenChoice, Sessions } from './sessions.ts';

/** Share of a split that one press of a resize key moves its divider by. */
const NUDGE = 0.05;

/** What a person does with tabs and panes. Every change leaves the focus in the active terminal. */
export class Workspace {
  readonly #sessions: Sessions;
  #count = 0;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  openTab(choice: OpenChoice = {}): void {
    const pane = this.#sessions.create(choice);
    if (pane === null) return;
    this.#change((layout) => addTab(layout, this.#newTabId(), pane));
  }

  /** The new pane has the profile, the project and the manifest of the one that is split. */
  split(id: PaneId, edge: Direction): void {
    const from = paneOf(id);
    if (from === null) return;
    const pane = this.#sessions.create({
      profileId: from.profile.id,
      trial: from.trial ?? undefined,
      project: from.project ?? undefined,
      manifest: from.governed ?? undefined,
    });
    if (pane === null) {
      showMessage(id, `“${from.profile.name}” is no longer among the profiles: no session was opened.`);
      return;
    }
    this.#change((layout) => splitPane(layout, id, pane, edge));
  }

  /** Asks first when that ends a session; asked again, it closes. */
  closePane(id: PaneId, agreed = agreedTo(id, null)): void {
    if (paneOf(id) === null) return;
    if (isLivePane(id) && !agreed.includes(id)) {
      this.makeActive(id);
      askToClose(id, null, [id]);
      return;
    }
    this.#change((layout) => closePane(layout, id));
    this.#sessions.discard(id);
  }

  /** Asks first when that ends sessions; asked again, it closes, but never ends more than was said. */
  closeTab(id: TabId, agreed?: readonly PaneId[]): void {
    const tab = findTab(useWorkspace.getState().layout, id);
    if (tab === undefined) return;
    const panes = panesOf(tab.root);
    const ends = panes.filter(isLivePane);
    const mayEnd = agreed ?? agreedTo(tab.activePane, id);
    if (ends.some((pane) => !mayEnd.includes(pane))) {
      this.#change((layout) => activateTab(layout, id), false);
      askToClose(tab.activePane, id, ends);
      return;
    }
    this.#change((layout) => withoutTab(layout, id));
    for (const pane of panes) this.#sessions.discard(pane);
  }

  /** The answer to an ask of `closePane` or `closeTab`. */
  answerClose(id: PaneId, { tab, ends }: Closing, close: boolean): void {
    dropAsk(id, 'close');
    if (!close) this.focusActive();
    else if (tab === null) this.closePane(id, ends);
    else this.closeTab(tab, ends);
  }

  activateTab(id: TabId): void {
    this.#change((layout) => activateTab(layout, id));
  }

  activateTabAt(index: number): void {
    this.#change((layout) => {
      const tab = layout.tabs.at(index);
      return tab === undefined ? layout : activateTab(layout, tab.id);
    });
  }

  activateTabBy(offset: number): void {
    this.#change((layout) => activateTabBy(layout, offset));
  }

  moveActiveTab(offset: number): void {
    this.#change((layout) => {
      const index = layout.tabs.findIndex((tab) => tab.id === layout.activeTab);
      return layout.activeTab === null ? layout : moveTab(layout, layout.activeTab, index + offset);
    });
  }

  focusTowards(direction: Direction): void {
    this.#change((layout) => {
      const tab = findTab(layout, layout.activeTab);
      const next = tab && neighbour(tab.root, tab.activePane, direction);
      return next ? focusPane(layout, next) : layout;
    });
  }

  moveDivider(direction: Direction): void {
    this.#change((layout) => {
      const pane = activePaneOf(layout);
      return pane === null ? layout : nudgeDivider(layout, pane, direction, NUDGE);
    });
  }

  toggleMaximised(id: PaneId): void {
    this.#change((layout) => toggleMaximised(layout, id));
  }

  /** A new id for a tab that a drag makes. */
  newTabId(): TabId {
    return this.#newTabId();
  }

  /** Applies a change made by dragging. */
  rearrange(change: (layout: Layout) => Layout): void {
    this.#change(change);
  }

  showSessions(): void {
    this.#change((layout) => layout);
  }

  /** Commands mean this pane from now on; the focus stays where it is, or where what opens next takes it. */
  makeActive(id: PaneId): void {
    this.#change((layout) => focusPane(layout, id), false);
  }

  /**
   * Puts the focus into the active pane; without one, nowhere. At once, so that the next key goes there however long the next
   * frame takes; and once more then, because a menu that closes lets nothing else have the focus until it is gone, and gives
   * it back to its button. What was opened in between keeps the focus.
   */
  focusActive(): void {
    this.#focusNow();
    requestAnimationFrame(() => {
      const focused = document.activeElement;
      if (focused === document.body || focused?.matches('[aria-haspopup]')) this.#focusNow();
    });
  }

  #focusNow(): void {
    const active = activePaneOf(useWorkspace.getState().layout);
    if (active !== null) this.#sessions.focus(active);
    // A pane that is new takes the focus once it is drawn: until then no other has it.
    const focused = document.activeElement;
    const isElsewhere = active === null || !focused?.closest(`[data-pane="${active}"]`);
    if (isElsewhere && focused instanceof HTMLElement) focused.blur();
  }

  #change(change: (layout: Layout) => Layout, focus = true): void {
    // Drawn before anything else happens: only what stands in the page can have the focus.
    flushSync(() => {
      useWorkspace.setState({ place: 'sessions' });
      changeLayout(change);
    });
    if (focus) this.focusActive();
  }

  #newTabId(): TabId {
    this.#count += 1;
    return `tab-${this.#count}`;
  }
}

function askToClose(id: PaneId, tab: TabId | null, ends: readonly PaneId[]): void {
  showAsk(id, { kind: 'close', closing: { tab, ends, askedAt: performance.now() } });
}

/** The sessions that the open question of a pane names: whoever asks for the same again, and has had time to read it, means it. */
function agreedTo(id: PaneId, tab: TabId | null): readonly PaneId[] {
  const ask = paneOf(id)?.asks.find(({ kind }) => kind === 'close');
  if (ask?.kind !== 'close' || ask.closing.tab !== tab) return [];
  return performance.now() - ask.closing.askedAt < ARMING_MS ? [] : ask.closing.ends;
}

function isLivePane(id: PaneId): boolean {
  const pane = usePanes.getState().panes[id];
  return pane !== undefined && isLive(pane);
}

import {
  axisOf,
  type Direction,
  findSplit,
  isForward,
  type LayoutNode,
  mapSplit,
  nearestSplit,
  normalised,
  type PaneId,
  paneNode,
  panesOf,
  withBeside,
  without,
} from './layout-tree.ts';

/**
 * What is open and where: tabs, each a tree of splits with panes as leaves. Pure data and pure functions, no React,
 * no sessions: a pane is an id. Every function returns a new layout, or the same one when nothing applies.
 *
 * Invariants (layout.test.ts holds them over random edits): a split has at least two children; a child split lies
 * along the other axis; the shares of a split add up to 1; every pane is in exactly one tab; a tab's active pane is
 * in it; the active tab exists unless there is none.
 */
export type TabId = string;

export interface Tab {
  readonly id: TabId;
  readonly root: LayoutNode;
  readonly activePane: PaneId;
  /** The active pane fills the tab; the others keep running out of sight. */
  readonly maximised: boolean;
}

export interface Layout {
  readonly tabs: readonly Tab[];
  readonly activeTab: TabId | null;
  /** Number of the next split, so that split ids are never used twice. */
  readonly nextSplit: number;
}

/** The least share of a split that a keyboard resize leaves a pane. */
export const MIN_SHARE = 0.1;

export const EMPTY_LAYOUT: Layout = { tabs: [], activeTab: null, nextSplit: 1 };

export function allPanes(layout: Layout): PaneId[] {
  return layout.tabs.flatMap((tab) => panesOf(tab.root));
}

export function findTab(layout: Layout, id: TabId | null): Tab | undefined {
  return layout.tabs.find((tab) => tab.id === id);
}

export function tabOfPane(layout: Layout, pane: PaneId): Tab | undefined {
  return layout.tabs.find((tab) => panesOf(tab.root).includes(pane));
}

export function activePaneOf(layout: Layout): PaneId | null {
  return findTab(layout, layout.activeTab)?.activePane ?? null;
}

/** Adds a tab with one pane after the active tab, or at `index`, and makes it active. */
export function addTab(layout: Layout, id: TabId, pane: PaneId, index?: number): Layout {
  const tab: Tab = { id, root: paneNode(pane), activePane: pane, maximised: false };
  const active = layout.tabs.findIndex((candidate) => candidate.id === layout.activeTab);
  const at = clampIndex(index ?? active + 1, layout.tabs.length);
  return { ...layout, tabs: layout.tabs.toSpliced(at, 0, tab), activeTab: id };
}

export function activateTab(layout: Layout, id: TabId): Layout {
  return findTab(layout, id) === undefined || layout.activeTab === id ? layout : { ...layout, activeTab: id };
}

/** Activates the tab `offset` places to the right of the active one, around the ends. */
export function activateTabBy(layout: Layout, offset: number): Layout {
  const count = layout.tabs.length;
  const index = layout.tabs.findIndex((tab) => tab.id === layout.activeTab);
  if (index < 0) return layout;
  const next = layout.tabs[(((index + offset) % count) + count) % count];
  return next === undefined ? layout : activateTab(layout, next.id);
}

/** Makes a pane the active one of its tab, and its tab the active one. A maximised tab stays so, showing the pane. */
export function focusPane(layout: Layout, pane: PaneId): Layout {
  const tab = tabOfPane(layout, pane);
  if (tab === undefined) return layout;
  if (tab.activePane === pane && layout.activeTab === tab.id) return layout;
  return { ...replaceTab(layout, { ...tab, activePane: pane }), activeTab: tab.id };
}

export function toggleMaximised(layout: Layout, pane: PaneId): Layout {
  const tab = tabOfPane(layout, pane);
  if (tab === undefined || tab.root.kind === 'pane') return layout;
  return replaceTab(layout, { ...tab, activePane: pane, maximised: !tab.maximised });
}

/** Puts a new pane beside `target` on its `edge`; both share the space that `target` had. The new pane is active. */
export function splitPane(layout: Layout, target: PaneId, pane: PaneId, edge: Direction): Layout {
  const tab = tabOfPane(layout, target);
  return tab === undefined ? layout : graft(layout, tab, target, paneNode(pane), edge, pane);
}

/** Moves the tab to `index` of the strip. */
export function moveTab(layout: Layout, id: TabId, index: number): Layout {
  const tab = findTab(layout, id);
  if (tab === undefined) return layout;
  const others = layout.tabs.filter((candidate) => candidate !== tab);
  const tabs = others.toSpliced(clampIndex(index, others.length), 0, tab);
  return tabs.every((candidate, i) => candidate === layout.tabs[i]) ? layout : { ...layout, tabs };
}

/** Moves a whole tab beside a pane of another tab. */
export function moveTabBesidePane(layout: Layout, id: TabId, target: PaneId, edge: Direction): Layout {
  const moved = findTab(layout, id);
  const tab = tabOfPane(layout, target);
  if (moved === undefined || tab === undefined || moved === tab) return layout;
  return graft(withoutTab(layout, id), tab, target, moved.root, edge, moved.activePane);
}

/** Moves one pane beside another, in the same tab or in another one. */
export function movePaneBesidePane(layout: Layout, pane: PaneId, target: PaneId, edge: Direction): Layout {
  if (pane === target || tabOfPane(layout, pane) === undefined) return layout;
  const rest = closePane(layout, pane);
  const tab = tabOfPane(rest, target);
  return tab === undefined ? layout : graft(rest, tab, target, paneNode(pane), edge, pane);
}

/** Moves a pane out of its splits into a tab of its own at `index`. The only pane of a tab moves its tab. */
export function movePaneToTab(layout: Layout, pane: PaneId, id: TabId, index: number): Layout {
  const tab = tabOfPane(layout, pane);
  if (tab === undefined) return layout;
  if (tab.root.kind === 'pane') return moveTab(layout, tab.id, index);
  return addTab(closePane(layout, pane), id, pane, index);
}

/** Takes a pane away. What it leaves goes to its neighbours in proportion; its tab goes with its last pane. */
export function closePane(layout: Layout, pane: PaneId): Layout {
  const tab = tabOfPane(layout, pane);
  if (tab === undefined) return layout;
  const root = without(tab.root, pane);
  if (root === null) return withoutTab(layout, tab.id);
  const order = panesOf(tab.root);
  const left = panesOf(root);
  const index = order.indexOf(pane);
  const next = order[index - 1] ?? order[index + 1];
  const activePane = tab.activePane === pane ? (next ?? left[0] ?? pane) : tab.activePane;
  const maximised = tab.maximised && tab.activePane !== pane && root.kind === 'split';
  return replaceTab(layout, { ...tab, root, activePane, maximised });
}

/** Takes a tab away; the tab to its right, else to its left, becomes active if it was. */
export function withoutTab(layout: Layout, id: TabId): Layout {
  const index = layout.tabs.findIndex((tab) => tab.id === id);
  if (index < 0) return layout;
  const tabs = layout.tabs.toSpliced(index, 1);
  const next = tabs[index] ?? tabs[index - 1];
  return { ...layout, tabs, activeTab: layout.activeTab === id ? (next?.id ?? null) : layout.activeTab };
}

/** Sets the shares of a split; `shares` needs one positive number for each child and is scaled to 1. */
export function setShares(layout: Layout, splitId: string, shares: readonly number[]): Layout {
  const tab = layout.tabs.find((candidate) => findSplit(candidate.root, splitId) !== null);
  const split = tab && findSplit(tab.root, splitId);
  if (!tab || !split || shares.length !== split.children.length || shares.some((share) => !(share > 0))) {
    return layout;
  }
  const scaled = normalised(shares);
  if (scaled.every((share, index) => Math.abs(share - (split.shares[index] ?? 0)) < 1e-4)) return layout;
  return replaceTab(layout, { ...tab, root: mapSplit(tab.root, splitId, (s) => ({ ...s, shares: scaled })) });
}

/**
 * Moves a divider of the pane in `direction` by `amount` of the split: the far one, or the near one where the pane is
 * at the end, so that the same key always moves the same way.
 */
export function nudgeDivider(layout: Layout, pane: PaneId, direction: Direction, amount: number): Layout {
  const tab = tabOfPane(layout, pane);
  const split = tab && nearestSplit(tab.root, pane, axisOf(direction));
  if (!split) return layout;
  const child = split.children.findIndex((node) => panesOf(node).includes(pane));
  const before = child < split.children.length - 1 ? child : child - 1;
  const a = split.shares[before] ?? 0;
  const b = split.shares[before + 1] ?? 0;
  const wanted = isForward(direction) ? amount : -amount;
  const least = Math.min(MIN_SHARE, a, b);
  const delta = Math.min(Math.max(wanted, least - a), b - least);
  const shares = split.shares.with(before, a + delta).with(before + 1, b - delta);
  return setShares(layout, split.id, shares);
}

function clampIndex(index: number, length: number): number {
  return Math.min(Math.max(index, 0), length);
}

function replaceTab(layout: Layout, tab: Tab): Layout {
  return { ...layout, tabs: layout.tabs.map((candidate) => (candidate.id === tab.id ? tab : candidate)) };
}

function graft(
  layout: Layout,
  tab: Tab,
  target: PaneId,
  added: LayoutNode,
  edge: Direction,
  activePane: PaneId,
): Layout {
  const root = withBeside(tab.root, target, added, edge, `split-${layout.nextSplit}`);
  const grown = { ...layout, nextSplit: layout.nextSplit + 1, activeTab: tab.id };
  return replaceTab(grown, { ...tab, root, activePane, maximised: false });
}

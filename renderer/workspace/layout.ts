/**
 * What is open and where: tabs, each a tree of splits with panes as leaves. Pure data and pure functions, no React,
 * no sessions: a pane is an id. Every function returns a new layout, or the same one when nothing applies.
 *
 * Invariants (layout.test.ts holds them over random edits): a split has at least two children; a child split lies
 * along the other axis; the shares of a split add up to 1; every pane is in exactly one tab; a tab's active pane is
 * in it; the active tab exists unless there is none.
 */
export type PaneId = string;
export type TabId = string;

/** `row` lays its children out from left to right, `column` from top to bottom. */
export type Axis = 'row' | 'column';
export type Direction = 'left' | 'right' | 'up' | 'down';

export interface PaneNode {
  readonly kind: 'pane';
  readonly pane: PaneId;
}

export interface SplitNode {
  readonly kind: 'split';
  readonly id: string;
  readonly axis: Axis;
  readonly children: readonly LayoutNode[];
  /** One for each child, of the split's length along its axis; together 1. */
  readonly shares: readonly number[];
}

export type LayoutNode = PaneNode | SplitNode;

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

export function paneNode(pane: PaneId): PaneNode {
  return { kind: 'pane', pane };
}

/** The panes of a tree in reading order. */
export function panesOf(node: LayoutNode): PaneId[] {
  return node.kind === 'pane' ? [node.pane] : node.children.flatMap(panesOf);
}

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

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Where each pane of a tree lies, in fractions of the tab. */
export function rectangles(root: LayoutNode): Map<PaneId, Rectangle> {
  const found = new Map<PaneId, Rectangle>();
  const visit = (node: LayoutNode, area: Rectangle) => {
    if (node.kind === 'pane') {
      found.set(node.pane, area);
      return;
    }
    let offset = 0;
    for (const [index, child] of node.children.entries()) {
      const share = node.shares[index] ?? 0;
      visit(child, slice(area, node.axis, offset, share));
      offset += share;
    }
  };
  visit(root, { left: 0, top: 0, width: 1, height: 1 });
  return found;
}

/** The pane one would look at next in that direction: nearest first, then the one with the longest common edge. */
export function neighbour(root: LayoutNode, pane: PaneId, direction: Direction): PaneId | null {
  const areas = rectangles(root);
  const from = areas.get(pane);
  if (from === undefined) return null;
  const candidates = [...areas]
    .filter(([id]) => id !== pane)
    .map(([id, area]) => ({
      id,
      gap: gapTo(from, area, direction),
      overlap: overlapWith(from, area, direction),
    }))
    .filter(({ gap, overlap }) => gap > -EPSILON && overlap > EPSILON)
    .sort((a, b) => (Math.abs(a.gap - b.gap) > EPSILON ? a.gap - b.gap : b.overlap - a.overlap));
  return candidates[0]?.id ?? null;
}

const EPSILON = 1e-6;

function clampIndex(index: number, length: number): number {
  return Math.min(Math.max(index, 0), length);
}

function axisOf(direction: Direction): Axis {
  return direction === 'left' || direction === 'right' ? 'row' : 'column';
}

function isForward(direction: Direction): boolean {
  return direction === 'right' || direction === 'down';
}

function replaceTab(layout: Layout, tab: Tab): Layout {
  return { ...layout, tabs: layout.tabs.map((candidate) => (candidate.id === tab.id ? tab : candidate)) };
}

function normalised(shares: readonly number[]): number[] {
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}

function graft(
  layout: Layout,
  tab: Tab,
  target: PaneId,
  added: LayoutNode,
  edge: Direction,
  activePane: PaneId,
): Layout {
  const root = flattened(beside(tab.root, target, added, edge, `split-${layout.nextSplit}`));
  const grown = { ...layout, nextSplit: layout.nextSplit + 1, activeTab: tab.id };
  return replaceTab(grown, { ...tab, root, activePane, maximised: false });
}

function beside(
  node: LayoutNode,
  target: PaneId,
  added: LayoutNode,
  edge: Direction,
  id: string,
): LayoutNode {
  if (node.kind === 'split') {
    return { ...node, children: node.children.map((child) => beside(child, target, added, edge, id)) };
  }
  if (node.pane !== target) return node;
  const children = isForward(edge) ? [node, added] : [added, node];
  return { kind: 'split', id, axis: axisOf(edge), children, shares: [0.5, 0.5] };
}

/** Removes a pane; null when nothing is left. */
function without(node: LayoutNode, pane: PaneId): LayoutNode | null {
  if (node.kind === 'pane') return node.pane === pane ? null : node;
  const children: LayoutNode[] = [];
  const shares: number[] = [];
  for (const [index, child] of node.children.entries()) {
    const kept = without(child, pane);
    if (kept === null) continue;
    children.push(kept);
    shares.push(node.shares[index] ?? 0);
  }
  const only = children[0];
  if (only === undefined) return null;
  return children.length === 1 ? only : flattened({ ...node, children, shares: normalised(shares) });
}

/** Merges splits that lie in a split along the same axis. */
function flattened(node: LayoutNode): LayoutNode {
  if (node.kind === 'pane') return node;
  const children: LayoutNode[] = [];
  const shares: number[] = [];
  for (const [index, raw] of node.children.entries()) {
    const child = flattened(raw);
    const share = node.shares[index] ?? 0;
    if (child.kind === 'split' && child.axis === node.axis) {
      children.push(...child.children);
      shares.push(...child.shares.map((inner) => inner * share));
    } else {
      children.push(child);
      shares.push(share);
    }
  }
  return { ...node, children, shares };
}

function findSplit(node: LayoutNode, id: string): SplitNode | null {
  if (node.kind === 'pane') return null;
  if (node.id === id) return node;
  for (const child of node.children) {
    const found = findSplit(child, id);
    if (found !== null) return found;
  }
  return null;
}

function mapSplit(node: LayoutNode, id: string, change: (split: SplitNode) => SplitNode): LayoutNode {
  if (node.kind === 'pane') return node;
  if (node.id === id) return change(node);
  return { ...node, children: node.children.map((child) => mapSplit(child, id, change)) };
}

/** The innermost split along `axis` that holds the pane. */
function nearestSplit(node: LayoutNode, pane: PaneId, axis: Axis): SplitNode | null {
  if (node.kind === 'pane' || !panesOf(node).includes(pane)) return null;
  for (const child of node.children) {
    const inner = nearestSplit(child, pane, axis);
    if (inner !== null) return inner;
  }
  return node.axis === axis ? node : null;
}

function slice(area: Rectangle, axis: Axis, offset: number, share: number): Rectangle {
  return axis === 'row'
    ? { ...area, left: area.left + offset * area.width, width: share * area.width }
    : { ...area, top: area.top + offset * area.height, height: share * area.height };
}

function gapTo(from: Rectangle, to: Rectangle, direction: Direction): number {
  if (direction === 'right') return to.left - (from.left + from.width);
  if (direction === 'left') return from.left - (to.left + to.width);
  if (direction === 'down') return to.top - (from.top + from.height);
  return from.top - (to.top + to.height);
}

function overlapWith(a: Rectangle, b: Rectangle, direction: Direction): number {
  if (axisOf(direction) === 'row') {
    return Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  }
  return Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
}

/**
 * The tree of one tab: splits with panes as leaves. Pure data and pure functions; a pane is an id.
 */
export type PaneId = string;

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

export function paneNode(pane: PaneId): PaneNode {
  return { kind: 'pane', pane };
}

/** The panes of a tree in reading order. */
export function panesOf(node: LayoutNode): PaneId[] {
  return node.kind === 'pane' ? [node.pane] : node.children.flatMap(panesOf);
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

/** Puts `added` beside the pane `target`, both in a new split `id`; splits along one axis are merged. */
export function withBeside(
  root: LayoutNode,
  target: PaneId,
  added: LayoutNode,
  edge: Direction,
  id: string,
): LayoutNode {
  return flattened(beside(root, target, added, edge, id));
}

const EPSILON = 1e-6;

export function axisOf(direction: Direction): Axis {
  return direction === 'left' || direction === 'right' ? 'row' : 'column';
}

export function isForward(direction: Direction): boolean {
  return direction === 'right' || direction === 'down';
}

export function normalised(shares: readonly number[]): number[] {
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
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
export function without(node: LayoutNode, pane: PaneId): LayoutNode | null {
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

export function findSplit(node: LayoutNode, id: string): SplitNode | null {
  if (node.kind === 'pane') return null;
  if (node.id === id) return node;
  for (const child of node.children) {
    const found = findSplit(child, id);
    if (found !== null) return found;
  }
  return null;
}

export function mapSplit(node: LayoutNode, id: string, change: (split: SplitNode) => SplitNode): LayoutNode {
  if (node.kind === 'pane') return node;
  if (node.id === id) return change(node);
  return { ...node, children: node.children.map((child) => mapSplit(child, id, change)) };
}

/** The innermost split along `axis` that holds the pane. */
export function nearestSplit(node: LayoutNode, pane: PaneId, axis: Axis): SplitNode | null {
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

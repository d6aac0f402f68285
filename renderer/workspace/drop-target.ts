import type { Direction, PaneId } from './layout-tree.ts';

/** Where something that is dragged would go. */
export type DropTarget =
  | { readonly kind: 'pane'; readonly pane: PaneId; readonly edge: Direction }
  /** Before the tab at `index`; behind the last one at the number of tabs. */
  | { readonly kind: 'strip'; readonly index: number };

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The edge of a box that a point is nearest to, in shares of the box, so that wide panes split as tall ones do. */
export function nearestEdge(box: Box, x: number, y: number): Direction {
  const across = (x - box.left) / box.width;
  const down = (y - box.top) / box.height;
  const distances: [Direction, number][] = [
    ['left', across],
    ['right', 1 - across],
    ['up', down],
    ['down', 1 - down],
  ];
  return distances.reduce((best, next) => (next[1] < best[1] ? next : best))[0];
}

/** Where in a row of tabs a point falls: before the first tab whose middle is right of it. */
export function stripIndex(tabs: readonly Box[], x: number): number {
  const index = tabs.findIndex((tab) => x < tab.left + tab.width / 2);
  return index < 0 ? tabs.length : index;
}

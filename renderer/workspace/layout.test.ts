import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  activateTab,
  activateTabBy,
  activePaneOf,
  addTab,
  allPanes,
  closePane,
  EMPTY_LAYOUT,
  findTab,
  focusPane,
  type Layout,
  MIN_SHARE,
  movePaneBesidePane,
  movePaneToTab,
  moveTab,
  moveTabBesidePane,
  nudgeDivider,
  setShares,
  splitPane,
  tabOfPane,
  toggleMaximised,
  withoutTab,
} from './layout.ts';
import { type Direction, type LayoutNode, neighbour, panesOf, rectangles } from './layout-tree.ts';

const three = ['a', 'b', 'c'].reduce((layout, id) => addTab(layout, `tab-${id}`, id), EMPTY_LAYOUT);
const one = addTab(EMPTY_LAYOUT, 'tab', 'a');

/** a | (b over c) */
const nested = splitPane(splitPane(one, 'a', 'b', 'right'), 'b', 'c', 'down');

function root(layout: Layout): LayoutNode {
  const tab = findTab(layout, layout.activeTab);
  if (tab === undefined) throw new Error('no active tab');
  return tab.root;
}

function drawn(node: LayoutNode): string {
  if (node.kind === 'pane') return node.pane;
  return `${node.axis}(${node.children.map(drawn).join(' ')})`;
}

function shares(node: LayoutNode): readonly number[] {
  return node.kind === 'split' ? node.shares : [];
}

describe('tabs', () => {
  it('adds a tab after the active one and activates it', () => {
    const layout = addTab(activateTab(three, 'tab-a'), 'tab-d', 'd');
    expect(layout.tabs.map((tab) => tab.id)).toEqual(['tab-a', 'tab-d', 'tab-b', 'tab-c']);
    expect(layout.activeTab).toBe('tab-d');
  });

  it('goes around the ends', () => {
    expect(activateTabBy(three, 1).activeTab).toBe('tab-a');
    expect(activateTabBy(activateTab(three, 'tab-a'), -1).activeTab).toBe('tab-c');
    expect(activateTabBy(EMPTY_LAYOUT, 1)).toBe(EMPTY_LAYOUT);
  });

  it('reorders, and a move to its own place changes nothing', () => {
    expect(moveTab(three, 'tab-c', 0).tabs.map((tab) => tab.id)).toEqual(['tab-c', 'tab-a', 'tab-b']);
    expect(moveTab(three, 'tab-b', 1)).toBe(three);
  });

  it('activates the tab to the right of a closed one, else to the left', () => {
    expect(withoutTab(activateTab(three, 'tab-b'), 'tab-b').activeTab).toBe('tab-c');
    expect(withoutTab(three, 'tab-c').activeTab).toBe('tab-b');
    expect(withoutTab(one, 'tab')).toMatchObject({ tabs: [], activeTab: null });
  });
});

describe('splits', () => {
  it('splits on each edge', () => {
    expect(drawn(root(splitPane(one, 'a', 'b', 'right')))).toBe('row(a b)');
    expect(drawn(root(splitPane(one, 'a', 'b', 'left')))).toBe('row(b a)');
    expect(drawn(root(splitPane(one, 'a', 'b', 'down')))).toBe('column(a b)');
    expect(drawn(root(splitPane(one, 'a', 'b', 'up')))).toBe('column(b a)');
  });

  it('joins a split along the same axis and halves only the pane that was split', () => {
    const layout = splitPane(splitPane(one, 'a', 'b', 'right'), 'b', 'c', 'right');
    expect(drawn(root(layout))).toBe('row(a b c)');
    expect(shares(root(layout))).toEqual([0.5, 0.25, 0.25]);
  });

  it('makes the new pane active and shows it when another was maximised', () => {
    const layout = splitPane(toggleMaximised(nested, 'a'), 'a', 'd', 'down');
    expect(activePaneOf(layout)).toBe('d');
    expect(findTab(layout, 'tab')?.maximised).toBe(false);
  });

  it('gives the space of a closed pane to its neighbours and collapses the split', () => {
    expect(drawn(root(closePane(nested, 'c')))).toBe('row(a b)');
    expect(drawn(root(closePane(nested, 'a')))).toBe('column(b c)');
    const layout = splitPane(splitPane(one, 'a', 'b', 'right'), 'b', 'c', 'right');
    expect(shares(root(closePane(layout, 'a')))).toEqual([0.5, 0.5]);
  });

  it('moves the focus to a neighbour only when the active pane closed', () => {
    expect(activePaneOf(closePane(nested, 'c'))).toBe('b');
    expect(activePaneOf(closePane(focusPane(nested, 'a'), 'c'))).toBe('a');
    expect(activePaneOf(closePane(focusPane(nested, 'a'), 'a'))).toBe('b');
  });

  it('closes the tab with its last pane', () => {
    expect(closePane(one, 'a').tabs).toEqual([]);
  });

  it('maximises a pane only where there is something to cover', () => {
    expect(toggleMaximised(one, 'a')).toBe(one);
    const maximised = toggleMaximised(nested, 'b');
    expect(findTab(maximised, 'tab')).toMatchObject({ maximised: true, activePane: 'b' });
    expect(findTab(toggleMaximised(maximised, 'b'), 'tab')?.maximised).toBe(false);
  });
});

describe('moving by drag', () => {
  it('puts a tab beside a pane of another tab', () => {
    const layout = moveTabBesidePane(three, 'tab-a', 'c', 'left');
    expect(layout.tabs.map((tab) => tab.id)).toEqual(['tab-b', 'tab-c']);
    expect(drawn(root(layout))).toBe('row(a c)');
    expect(activePaneOf(layout)).toBe('a');
  });

  it('keeps the splits of the tab that is moved', () => {
    const layout = moveTabBesidePane(addTab(nested, 'other', 'd'), 'tab', 'd', 'down');
    expect(drawn(root(layout))).toBe('column(d row(a column(b c)))');
  });

  it('does not put a tab into itself', () => {
    expect(moveTabBesidePane(nested, 'tab', 'b', 'left')).toBe(nested);
  });

  it('moves a pane within its tab and between tabs', () => {
    expect(drawn(root(movePaneBesidePane(nested, 'c', 'a', 'left')))).toBe('row(c a b)');
    const layout = movePaneBesidePane(addTab(nested, 'other', 'd'), 'a', 'd', 'up');
    expect(drawn(root(layout))).toBe('column(a d)');
    expect(movePaneBesidePane(nested, 'a', 'a', 'left')).toBe(nested);
  });

  it('moves a pane to a tab of its own', () => {
    const layout = movePaneToTab(nested, 'c', 'new', 0);
    expect(layout.tabs.map((tab) => drawn(tab.root))).toEqual(['c', 'row(a b)']);
    expect(layout.activeTab).toBe('new');
    expect(movePaneToTab(three, 'a', 'new', 2).tabs.map((tab) => tab.id)).toEqual([
      'tab-b',
      'tab-c',
      'tab-a',
    ]);
  });
});

describe('sizes', () => {
  it('scales shares to 1 and refuses a wrong number of them', () => {
    const split = root(nested);
    const id = split.kind === 'split' ? split.id : '';
    expect(shares(root(setShares(nested, id, [30, 10])))).toEqual([0.75, 0.25]);
    expect(setShares(nested, id, [1])).toBe(nested);
    expect(setShares(nested, id, [1, 0])).toBe(nested);
    expect(setShares(nested, id, [1, Number.NaN])).toBe(nested);
  });

  it('moves the same divider the same way from either side', () => {
    expect(shares(root(nudgeDivider(nested, 'a', 'right', 0.1)))[0]).toBeCloseTo(0.6);
    expect(shares(root(nudgeDivider(nested, 'b', 'right', 0.1)))[0]).toBeCloseTo(0.6);
    expect(shares(root(nudgeDivider(nested, 'b', 'left', 0.1)))[0]).toBeCloseTo(0.4);
  });

  it('leaves each pane its least share', () => {
    expect(shares(root(nudgeDivider(nested, 'a', 'left', 5)))[0]).toBeCloseTo(MIN_SHARE);
    expect(shares(root(nudgeDivider(nested, 'a', 'right', 5)))[1]).toBeCloseTo(MIN_SHARE);
  });

  it('has no divider in a direction without a split', () => {
    expect(nudgeDivider(nested, 'a', 'up', 0.1)).toBe(nested);
  });
});

describe('neighbours', () => {
  it('finds the pane in each direction', () => {
    expect(neighbour(root(nested), 'a', 'right')).toBe('b');
    expect(neighbour(root(nested), 'b', 'down')).toBe('c');
    expect(neighbour(root(nested), 'c', 'up')).toBe('b');
    expect(neighbour(root(nested), 'c', 'left')).toBe('a');
    expect(neighbour(root(nested), 'a', 'left')).toBeNull();
    expect(neighbour(root(nested), 'c', 'right')).toBeNull();
  });

  it('prefers the longest common edge', () => {
    const split = root(nested);
    const column = split.kind === 'split' ? split.children[1] : undefined;
    const layout = setShares(nested, column?.kind === 'split' ? column.id : '', [1, 3]);
    expect(neighbour(root(layout), 'a', 'right')).toBe('c');
  });
});

describe('invariants', () => {
  const directions: Direction[] = ['left', 'right', 'up', 'down'];
  const step = fc.record({
    kind: fc.nat(8),
    first: fc.nat(),
    second: fc.nat(),
    edge: fc.constantFrom(...directions),
  });

  function apply(
    layout: Layout,
    { kind, first, second, edge }: typeof step extends fc.Arbitrary<infer T> ? T : never,
    n: number,
  ): Layout {
    const panes = allPanes(layout);
    const pane = panes[first % (panes.length || 1)] ?? '';
    const other = panes[second % (panes.length || 1)] ?? '';
    const tab = tabOfPane(layout, pane)?.id ?? '';
    const edits = [
      () => addTab(layout, `tab-${n}`, `pane-${n}`),
      () => splitPane(layout, pane, `pane-${n}`, edge),
      () => closePane(layout, pane),
      () => withoutTab(layout, tab),
      () => moveTab(layout, tab, second % 5),
      () => moveTabBesidePane(layout, tab, other, edge),
      () => movePaneBesidePane(layout, pane, other, edge),
      () => movePaneToTab(layout, pane, `tab-${n}`, second % 5),
      () => nudgeDivider(toggleMaximised(layout, pane), pane, edge, 0.2),
    ];
    return (edits[kind] ?? edits[0])?.() ?? layout;
  }

  function check(node: LayoutNode, above: string | null): string[] {
    if (node.kind === 'pane') return [];
    expect(node.children.length).toBeGreaterThan(1);
    expect(node.shares).toHaveLength(node.children.length);
    expect(node.axis).not.toBe(above);
    expect(node.shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
    expect(Math.min(...node.shares)).toBeGreaterThan(0);
    return [node.id, ...node.children.flatMap((child) => check(child, node.axis))];
  }

  it('hold over random edits', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let layout = EMPTY_LAYOUT;
        for (const [n, edit] of steps.entries()) {
          layout = apply(layout, edit, n);
          const panes = allPanes(layout);
          expect(new Set(panes).size).toBe(panes.length);
          expect(layout.activeTab === null).toBe(layout.tabs.length === 0);
          expect(layout.tabs.filter((tab) => tab.id === layout.activeTab)).toHaveLength(
            layout.tabs.length && 1,
          );
          for (const tab of layout.tabs) {
            expect(panesOf(tab.root)).toContain(tab.activePane);
            const ids = check(tab.root, null);
            expect(new Set(ids).size).toBe(ids.length);
            const area = [...rectangles(tab.root).values()].reduce((sum, r) => sum + r.width * r.height, 0);
            expect(area).toBeCloseTo(1);
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});

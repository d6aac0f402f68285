import { describe, expect, it } from 'vitest';
import { dropped } from './drag.ts';
import { addTab, EMPTY_LAYOUT, type Layout, splitPane } from './layout.ts';
import { panesOf } from './layout-tree.ts';

const tabs = ['a', 'b', 'c'].reduce((layout, id) => addTab(layout, `tab-${id}`, id), EMPTY_LAYOUT);
const newTab = () => 'tab-new';

function order(layout: Layout): string[] {
  return layout.tabs.map(({ id }) => id);
}

describe('a tab dropped on the strip', () => {
  const drop = (id: string, index: number) =>
    dropped(tabs, { kind: 'tab', id, label: '' }, { kind: 'strip', index }, newTab);

  it('lands before the tab that the mark was drawn at', () => {
    expect(order(drop('tab-a', 2))).toEqual(['tab-b', 'tab-a', 'tab-c']);
    expect(order(drop('tab-a', 3))).toEqual(['tab-b', 'tab-c', 'tab-a']);
    expect(order(drop('tab-c', 0))).toEqual(['tab-c', 'tab-a', 'tab-b']);
  });

  it('stays on either side of itself', () => {
    expect(drop('tab-b', 1)).toBe(tabs);
    expect(drop('tab-b', 2)).toBe(tabs);
  });
});

it('a tab dropped on a pane joins its tab', () => {
  const item = { kind: 'tab', id: 'tab-a', label: '' } as const;
  const layout = dropped(tabs, item, { kind: 'pane', pane: 'c', edge: 'left' }, newTab);
  expect(order(layout)).toEqual(['tab-b', 'tab-c']);
  expect(layout.tabs[1] && panesOf(layout.tabs[1].root)).toEqual(['a', 'c']);
});

it('a pane dropped on the strip gets a tab of its own', () => {
  const split = splitPane(tabs, 'b', 'd', 'right');
  const item = { kind: 'pane', id: 'd', label: '' } as const;
  expect(order(dropped(split, item, { kind: 'strip', index: 0 }, newTab))).toEqual([
    'tab-new',
    'tab-a',
    'tab-b',
    'tab-c',
  ]);
});

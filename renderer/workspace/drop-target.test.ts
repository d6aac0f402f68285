import { expect, it } from 'vitest';
import { nearestEdge, stripIndex } from './drop-target.ts';

const box = { left: 100, top: 50, width: 400, height: 100 };

it('finds the nearest edge by shares of the pane, not by pixels', () => {
  expect(nearestEdge(box, 110, 100)).toBe('left');
  expect(nearestEdge(box, 490, 100)).toBe('right');
  expect(nearestEdge(box, 300, 60)).toBe('up');
  expect(nearestEdge(box, 300, 140)).toBe('down');
  expect(nearestEdge(box, 180, 75)).toBe('left');
});

it('finds the place between tabs by their middles', () => {
  const tabs = [0, 100, 200].map((left) => ({ left, top: 0, width: 100, height: 30 }));
  expect([10, 60, 149, 151, 999].map((x) => stripIndex(tabs, x))).toEqual([0, 1, 1, 2, 3]);
  expect(stripIndex([], 10)).toBe(0);
});

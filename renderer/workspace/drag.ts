import type { PointerEvent as ReactPointerEvent } from 'react';
import { create } from 'zustand';
import { useWorkspace } from '../state/workspace-store.ts';
import { type DropTarget, nearestEdge, stripIndex } from './drop-target.ts';
import {
  findTab,
  type Layout,
  movePaneBesidePane,
  movePaneToTab,
  moveTab,
  moveTabBesidePane,
  type TabId,
} from './layout.ts';
import { type PaneId, panesOf } from './layout-tree.ts';
import type { Workspace } from './workspace.ts';

export type DragItem =
  | { readonly kind: 'tab'; readonly id: TabId; readonly label: string }
  | { readonly kind: 'pane'; readonly id: PaneId; readonly label: string };

interface Drag {
  readonly item: DragItem | null;
  readonly target: DropTarget | null;
  readonly x: number;
  readonly y: number;
}

const NO_DRAG: Drag = { item: null, target: null, x: 0, y: 0 };

/** What is being dragged, for the preview. */
export const useDrag = create<Drag>(() => NO_DRAG);

/** Pixels that the pointer moves before a press becomes a drag. */
const THRESHOLD = 6;

/** Starts dragging a tab or a pane once the pointer has moved a little; Escape gives up. */
export function startDrag(press: ReactPointerEvent, item: DragItem, workspace: Workspace): void {
  if (press.button !== 0 || isOnControl(press.target)) return;
  const stop = new AbortController();
  const { signal } = stop;
  const end = () => {
    stop.abort();
    useDrag.setState(NO_DRAG);
  };
  const move = ({ clientX: x, clientY: y }: PointerEvent) => {
    const moved = Math.hypot(x - press.clientX, y - press.clientY);
    if (useDrag.getState().item === null && moved < THRESHOLD) return;
    useDrag.setState({ item, x, y, target: targetAt(item, x, y) });
  };
  const drop = () => {
    const { target } = useDrag.getState();
    end();
    if (target !== null)
      workspace.rearrange((layout) => dropped(layout, item, target, () => workspace.newTabId()));
  };
  window.addEventListener('pointermove', move, { signal });
  window.addEventListener('pointerup', drop, { signal });
  window.addEventListener('pointercancel', end, { signal });
  window.addEventListener('blur', end, { signal });
  window.addEventListener('keydown', (event) => event.key === 'Escape' && end(), { signal, capture: true });
}

/** The layout after a drop. Unchanged when the thing would land where it is. */
export function dropped(layout: Layout, item: DragItem, target: DropTarget, newTab: () => TabId): Layout {
  if (target.kind === 'strip') {
    if (item.kind === 'pane') return movePaneToTab(layout, item.id, newTab(), target.index);
    const from = layout.tabs.findIndex((tab) => tab.id === item.id);
    return moveTab(layout, item.id, target.index > from ? target.index - 1 : target.index);
  }
  return item.kind === 'tab'
    ? moveTabBesidePane(layout, item.id, target.pane, target.edge)
    : movePaneBesidePane(layout, item.id, target.pane, target.edge);
}

function targetAt(item: DragItem, x: number, y: number): DropTarget | null {
  const elements = document.elementsFromPoint(x, y);
  const strip = find(elements, '[data-tab-strip]');
  if (strip !== null) {
    const tabs = [...strip.querySelectorAll('[data-tab]')].map((tab) => tab.getBoundingClientRect());
    return { kind: 'strip', index: stripIndex(tabs, x) };
  }
  const element = find(elements, '[data-pane]');
  const pane = element?.getAttribute('data-pane') ?? null;
  if (element === null || pane === null || isWithin(item, pane)) return null;
  return { kind: 'pane', pane, edge: nearestEdge(element.getBoundingClientRect(), x, y) };
}

/** A tab cannot go beside its own panes, nor a pane beside itself. */
function isWithin(item: DragItem, pane: PaneId): boolean {
  if (item.kind === 'pane') return item.id === pane;
  const tab = findTab(useWorkspace.getState().layout, item.id);
  return tab !== undefined && panesOf(tab.root).includes(pane);
}

function find(elements: readonly Element[], selector: string): Element | null {
  for (const element of elements) {
    const found = element.closest(selector);
    if (found !== null) return found;
  }
  return null;
}

function isOnControl(target: EventTarget): boolean {
  return (
    target instanceof Element && target.closest('button') !== null && target.closest('[data-tab]') === null
  );
}

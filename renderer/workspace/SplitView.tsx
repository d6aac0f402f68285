import { Fragment, useEffect } from 'react';
import { Group, Panel, Separator, useGroupRef } from 'react-resizable-panels';
import { changeLayout } from '../state/workspace-store.ts';
import { setShares, type Tab } from './layout.ts';
import { type LayoutNode, type PaneId, panesOf, type SplitNode } from './layout-tree.ts';
import { PaneView } from './PaneView.tsx';
import './split-view.css';

/** The panes of a tab, or the one that fills it. */
export function TabView({ tab }: { readonly tab: Tab }) {
  const isSplit = tab.root.kind === 'split';
  if (tab.maximised) return <PaneView key={tab.activePane} id={tab.activePane} isActive isSplit={isSplit} />;
  return <NodeView node={tab.root} activePane={tab.activePane} isSplit={isSplit} />;
}

interface NodeViewProps {
  readonly node: LayoutNode;
  readonly activePane: PaneId;
  readonly isSplit: boolean;
}

function NodeView({ node, activePane, isSplit }: NodeViewProps) {
  if (node.kind === 'pane') {
    return <PaneView key={node.pane} id={node.pane} isActive={node.pane === activePane} isSplit={isSplit} />;
  }
  // A split with other children is another group: terminals are moved, so nothing is lost by making it anew.
  return <SplitView key={node.children.map(nodeId).join(' ')} split={node} activePane={activePane} />;
}

/** Pixels that a pane keeps along the axis of its split. */
const PANE_MIN = { row: 160, column: 96 };

function SplitView({ split, activePane }: { readonly split: SplitNode; readonly activePane: PaneId }) {
  const group = useGroupRef();
  const ids = split.children.map(nodeId);
  const shares = split.shares.join(' ');
  // Keys move dividers in the layout; the group follows. Dragging goes the other way.
  useEffect(() => {
    const wanted = shares.split(' ').map(Number);
    const drawn = group.current?.getLayout();
    if (drawn === undefined || ids.every((id, i) => near(drawn[id], (wanted[i] ?? 0) * 100))) return;
    group.current?.setLayout(Object.fromEntries(ids.map((id, i) => [id, (wanted[i] ?? 0) * 100])));
  });
  return (
    <Group
      groupRef={group}
      orientation={split.axis === 'row' ? 'horizontal' : 'vertical'}
      defaultLayout={Object.fromEntries(ids.map((id, i) => [id, (split.shares[i] ?? 0) * 100]))}
      onLayoutChanged={(drawn, { isUserInteraction }) => {
        if (!isUserInteraction) return;
        changeLayout((layout) =>
          setShares(
            layout,
            split.id,
            ids.map((id) => drawn[id] ?? 0),
          ),
        );
      }}
    >
      {split.children.map((child, index) => (
        <Fragment key={nodeId(child)}>
          {index > 0 && <Separator className="divider" aria-label="Divider between panes" />}
          <Panel id={nodeId(child)} minSize={PANE_MIN[split.axis]} className="split-panel">
            <NodeView node={child} activePane={activePane} isSplit />
          </Panel>
        </Fragment>
      ))}
    </Group>
  );
}

function nodeId(node: LayoutNode): string {
  return node.kind === 'pane' ? node.pane : `${node.id}:${panesOf(node).join('+')}`;
}

function near(a: number | undefined, b: number): boolean {
  return a !== undefined && Math.abs(a - b) < 0.05;
}

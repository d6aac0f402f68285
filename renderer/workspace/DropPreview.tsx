import { useDrag } from './drag.ts';
import type { PaneId } from './layout-tree.ts';
import './drop-preview.css';

/** The half of a pane that something dragged would take. */
export function DropPreview({ pane }: { readonly pane: PaneId }) {
  const edge = useDrag(({ target }) =>
    target?.kind === 'pane' && target.pane === pane ? target.edge : null,
  );
  return edge && <div className="drop-preview" data-edge={edge} />;
}

/** Follows the pointer, and keeps it from the terminals below. */
export function DragShade() {
  const { item, x, y } = useDrag();
  if (item === null) return null;
  return (
    <div className="drag-shade">
      <span className="drag-label" style={{ translate: `${x + 12}px ${y + 8}px` }}>
        {item.label}
      </span>
    </div>
  );
}

import { Info, Keyboard, X } from 'lucide-react';
import { useEffect } from 'react';
import { changePane, type PaneNotice } from '../state/panes-store.ts';
import { IconButton } from '../ui/Button.tsx';
import type { PaneId } from './layout-tree.ts';
import { Strip } from './Strip.tsx';

/** Milliseconds that a message stays. What lasts is in the pane's state, not in a message. */
const MESSAGE_MS = 8_000;

/** What the pane tells, beside the terminal and without taking the focus. */
export function PaneNoticeStrip({ id, notice }: { readonly id: PaneId; readonly notice: PaneNotice | null }) {
  useEffect(() => {
    if (notice?.kind !== 'message') return;
    const timer = setTimeout(() => changePane(id, { notice: null }), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [id, notice]);
  const dismiss = (
    <IconButton label="Dismiss" onPress={() => changePane(id, { notice: null })}>
      <X size={14} aria-hidden="true" />
    </IconButton>
  );
  return (
    <div role="status">
      {notice?.kind === 'message' && (
        <Strip kind="tell" name="message" icon={<Info size={16} />} title={notice.text} actions={dismiss} />
      )}
      {notice?.kind === 'escape-help' && (
        <Strip
          kind="tell"
          name="escape-help"
          icon={<Keyboard size={16} />}
          title="Escape sequences at the start of a line"
          actions={dismiss}
        >
          <dl className="strip-keys">
            {notice.sequences.flatMap(({ keys, meaning }) => [
              <dt key={keys}>{keys}</dt>,
              <dd key={`${keys} means`}>{meaning}</dd>,
            ])}
          </dl>
        </Strip>
      )}
    </div>
  );
}

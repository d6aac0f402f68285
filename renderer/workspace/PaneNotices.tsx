import { CircleOff, CircleX, Info, Keyboard, Lock, PackageCheck, X } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { dropNotices, type PaneNotice } from '../state/panes-store.ts';
import { useWorkspace } from '../state/workspace-store.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { VisibleText } from '../ui/VisibleText.tsx';
import type { PaneId } from './layout-tree.ts';
import { Strip } from './Strip.tsx';

/** Milliseconds that a message stays. */
const MESSAGE_MS = 8_000;

interface PaneNoticesProps {
  readonly id: PaneId;
  readonly notices: readonly PaneNotice[];
}

/** What the pane tells, beside the terminal and without taking the focus. */
export function PaneNotices({ id, notices }: PaneNoticesProps) {
  const message = notices.find(({ kind }) => kind === 'message');
  useEffect(() => {
    if (message === undefined) return;
    const timer = setTimeout(() => dropNotices(id, 'message'), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [id, message]);
  return (
    <div className="pane-notices" role="status">
      {notices.map((notice) => (
        <Notice key={notice.kind} notice={notice} onDismiss={() => dropNotices(id, notice.kind)} />
      ))}
    </div>
  );
}

function Notice({ notice, onDismiss }: { readonly notice: PaneNotice; readonly onDismiss: () => void }) {
  const dismiss = (
    <IconButton label="Dismiss" onPress={onDismiss}>
      <X size={14} aria-hidden="true" />
    </IconButton>
  );
  switch (notice.kind) {
    case 'message':
      return (
        <Strip kind="tell" name="message" icon={<Info size={16} />} title={notice.text} actions={dismiss} />
      );
    case 'escape-help':
      return (
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
      );
    case 'recording-stopped':
      return (
        <Strip
          kind="tell"
          name="recording-stopped"
          icon={<CircleOff size={16} />}
          title="This pane is no longer recorded"
          actions={dismiss}
        >
          <p className="strip-text">{notice.why}</p>
        </Strip>
      );
    case 'publishing':
      return <PublishingStrip notice={notice} dismiss={dismiss} />;
  }
}

interface PublishingStripProps {
  readonly notice: Extract<PaneNotice, { kind: 'publishing' }>;
  readonly dismiss: ReactNode;
}

/** A file of /out on its way; how it ended stays until it is dismissed. */
function PublishingStrip({ notice, dismiss }: PublishingStripProps) {
  const { path, state, text } = notice;
  const icons = {
    asking: <Lock size={16} />,
    published: <PackageCheck size={16} />,
    failed: <CircleX size={16} />,
    refused: <CircleX size={16} />,
  };
  const show = () => useWorkspace.setState({ place: 'publications' });
  return (
    <Strip
      kind="tell"
      name="publishing"
      icon={icons[state]}
      title={
        <>
          {state === 'asking' ? 'Publishing ' : ''}
          <VisibleText text={path} limit={400} />
        </>
      }
      actions={
        state !== 'asking' && (
          <>
            {state !== 'refused' && (
              <Button look="quiet" onPress={show}>
                {state === 'published' ? 'Show receipt' : 'Show what is kept'}
              </Button>
            )}
            {dismiss}
          </>
        )
      }
    >
      <p className="strip-text">
        <VisibleText text={text} limit={4_000} />
      </p>
    </Strip>
  );
}

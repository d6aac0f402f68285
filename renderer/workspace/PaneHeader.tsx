import { Maximize2, Minimize2, X } from 'lucide-react';
import { useServices } from '../app/services.ts';
import type { Pane } from '../state/panes-store.ts';
import { useWorkspace } from '../state/workspace-store.ts';
import { IconButton } from '../ui/Button.tsx';
import { CommandKeys } from './CommandKeys.tsx';
import { startDrag } from './drag.ts';
import { findTab } from './layout.ts';
import { PaneMenuButton } from './PaneMenu.tsx';
import { PostureLine } from './PostureLine.tsx';
import './pane-header.css';

/** What the pane is, outside of what its program can change: profile, engine, posture, recorded or not. */
export function PaneHeader({ pane, isSplit }: { readonly pane: Pane; readonly isSplit: boolean }) {
  const { workspace } = useServices();
  const maximised = useWorkspace(
    (state) => findTab(state.layout, state.layout.activeTab)?.maximised ?? false,
  );
  const { id, profile, session } = pane;
  return (
    <header
      className="pane-header"
      onPointerDown={(event) => startDrag(event, { kind: 'pane', id, label: profile.name }, workspace)}
    >
      <span className="pane-name">{profile.name}</span>
      <span className="chip">{session?.posture.engine ?? profile.engine}</span>
      {session !== null && <PostureLine posture={session.posture} />}
      <span className="pane-actions">
        {isSplit && (
          <IconButton
            label={maximised ? 'Show all panes' : 'Maximise pane'}
            hint={<CommandKeys id="pane.maximise" />}
            onPress={() => workspace.toggleMaximised(id)}
          >
            {maximised ? (
              <Minimize2 size={13} aria-hidden="true" />
            ) : (
              <Maximize2 size={13} aria-hidden="true" />
            )}
          </IconButton>
        )}
        <PaneMenuButton id={id} />
        <IconButton
          label="Close pane"
          hint={<CommandKeys id="pane.close" />}
          onPress={() => workspace.closePane(id)}
        >
          <X size={14} aria-hidden="true" />
        </IconButton>
      </span>
    </header>
  );
}

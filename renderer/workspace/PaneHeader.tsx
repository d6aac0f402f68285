import { Maximize2, Minimize2, X } from 'lucide-react';
import { useServices } from '../app/services.ts';
import { fileFacts } from '../governed/governed-words.ts';
import { ENGINE_FACTS } from '../profiles/engine-facts.ts';
import { type Pane, paneName } from '../state/panes-store.ts';
import { useWorkspace } from '../state/workspace-store.ts';
import { IconButton } from '../ui/Button.tsx';
import { CommandKeys } from './CommandKeys.tsx';
import { startDrag } from './drag.ts';
import { findTab } from './layout.ts';
import { PaneMenuButton } from './PaneMenu.tsx';
import { PostureLine } from './PostureLine.tsx';
import './pane-header.css';

/** What the pane is, outside of what its program can change: profile or manifest, engine, posture, recorded or not. */
export function PaneHeader({ pane, isSplit }: { readonly pane: Pane; readonly isSplit: boolean }) {
  const { workspace } = useServices();
  const maximised = useWorkspace(
    (state) => findTab(state.layout, state.layout.activeTab)?.maximised ?? false,
  );
  const { id, profile, session, governed } = pane;
  const name = paneName(pane);
  return (
    <header
      className="pane-header"
      onPointerDown={(event) => startDrag(event, { kind: 'pane', id, label: name }, workspace)}
    >
      <span className="pane-name">{name}</span>
      {governed !== null && <span className="chip">governed</span>}
      <span className="chip">{session?.posture.engine ?? ENGINE_FACTS[profile.engine].name}</span>
      {session !== null && (
        <PostureLine posture={session.posture} files={fileFacts(governed?.manifest.filesystem ?? null)} />
      )}
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

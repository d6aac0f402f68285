import { X } from 'lucide-react';
import { useEffect } from 'react';
import { ApprovalDock } from '../approvals/ApprovalDock.tsx';
import { ApprovalsView } from '../approvals/ApprovalsView.tsx';
import { Palette } from '../commands/Palette.tsx';
import { PublicationsView } from '../publications/PublicationsView.tsx';
import { PublishDialog } from '../publications/PublishDialog.tsx';
import { SettingsView } from '../settings/SettingsView.tsx';
import { useConnection } from '../state/connection-store.ts';
import { paneOf, usePanes } from '../state/panes-store.ts';
import { dropAlert, type Place, useWorkspace } from '../state/workspace-store.ts';
import { TranscriptsView } from '../transcripts/TranscriptsView.tsx';
import { Button, IconButton } from '../ui/Button.tsx';
import { DragShade } from '../workspace/DropPreview.tsx';
import { FirstRun } from '../workspace/FirstRun.tsx';
import { FolderDialog } from '../workspace/FolderDialog.tsx';
import { activePaneOf, findTab } from '../workspace/layout.ts';
import { TabView } from '../workspace/SplitView.tsx';
import { StatusLine } from '../workspace/StatusLine.tsx';
import { TabStrip } from '../workspace/TabStrip.tsx';
import { windowTitle } from '../workspace/tab-words.ts';
import { Rail } from './Rail.tsx';
import { useServices } from './services.ts';
import './shell.css';

/** The whole window while there is something to work with. */
export function Shell() {
  useWindowTitle();
  const place = useWorkspace((state) => state.place);
  return (
    <div className="shell">
      <TabStrip />
      <ConnectionBar />
      <Alerts />
      <div className="shell-body">
        <Rail />
        <div className="shell-work">
          <PlaceView place={place} />
          <ApprovalDock />
        </div>
      </div>
      <StatusLine />
      <Palette />
      <FolderDialog />
      <PublishDialog />
      <DragShade />
    </div>
  );
}

function PlaceView({ place }: { readonly place: Place }) {
  switch (place) {
    case 'sessions':
      return <Sessions />;
    case 'approvals':
      return <ApprovalsView />;
    case 'publications':
      return <PublicationsView />;
    case 'transcripts':
      return <TranscriptsView />;
    case 'settings':
      return <SettingsView />;
  }
}

function Sessions() {
  const tab = useWorkspace(({ layout }) => findTab(layout, layout.activeTab));
  if (tab === undefined) return <FirstRun />;
  return (
    <main className="sessions" aria-label="Sessions">
      <h1 className="visually-hidden">Airlock</h1>
      <div className="tab-panel" role="tabpanel" aria-labelledby={`${tab.id}-tab`}>
        <TabView key={tab.id} tab={tab} />
      </div>
    </main>
  );
}

/** The connection is gone but what its sessions showed is still here. */
function ConnectionBar() {
  const { client } = useServices();
  const connection = useConnection((state) => state.connection);
  const farewell = useConnection((state) => state.farewell);
  const onDesktop = useConnection((state) => state.host?.host === 'desktop');
  if (connection.kind === 'connected') return null;
  const connecting = connection.kind === 'connecting';
  return (
    <div className="bar" role="status">
      <p>
        <strong>{connecting ? 'Connecting again…' : 'The connection ended.'}</strong>{' '}
        {!connecting && `${farewell ?? connection.reason} `}
        {!connecting && 'Its sessions ended with it; what they showed stays here'}
        {!connecting && (onDesktop ? ' until you connect again.' : '.')}
      </p>
      {connection.kind === 'signed-out' ? (
        <p>Press Enter in the terminal where Airlock was started and open the new address.</p>
      ) : (
        <Button isPending={connecting} onPress={() => void client.connect()}>
          Connect again
        </Button>
      )}
    </div>
  );
}

function Alerts() {
  const alerts = useWorkspace((state) => state.alerts);
  return (
    <div className="alerts">
      {alerts.map(({ id, text }) => (
        <div key={id} className="bar bar-attention" role="alert">
          <p>{text}</p>
          <IconButton label="Dismiss" onPress={() => dropAlert(id)}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
    </div>
  );
}

function useWindowTitle(): void {
  const active = useWorkspace((state) => activePaneOf(state.layout));
  const title = usePanes((state) =>
    windowTitle(active === null ? null : (state.panes[active] ?? paneOf(active))),
  );
  useEffect(() => {
    document.title = title;
  }, [title]);
}

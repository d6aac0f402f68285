import { useConnection } from '../state/connection-store.ts';
import { useSettings } from '../state/settings-store.ts';
import { useWorkspace } from '../state/workspace-store.ts';
import { Connecting, ConnectionLost, SignIn } from './ConnectionMessages.tsx';
import { Shell } from './Shell.tsx';

/** What the window shows: the connection's state while there is nothing else, else the work. */
export function App() {
  const connection = useConnection((state) => state.connection);
  const ready = useSettings((state) => state.loaded);
  const hasTabs = useWorkspace((state) => state.layout.tabs.length > 0);
  if (hasTabs) return <Shell />;
  switch (connection.kind) {
    case 'connecting':
      return <Connecting />;
    case 'signed-out':
      return <SignIn reason={connection.reason} />;
    case 'lost':
      return <ConnectionLost reason={connection.reason} />;
    case 'connected':
      return ready ? <Shell /> : <Connecting />;
  }
}

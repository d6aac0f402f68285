import { ApprovalsService } from '../approvals/approvals-service.ts';
import { SymbiontService } from '../approvals/symbiont-service.ts';
import { createActions } from '../commands/actions.ts';
import { followKeys } from '../commands/current-keys.ts';
import { dispatchKeys } from '../commands/key-dispatch.ts';
import { CommandRegistry } from '../commands/registry.ts';
import { Client } from '../connection/client.ts';
import { GovernedService } from '../governed/governed-service.ts';
import { ManifestsService } from '../governed/manifests-service.ts';
import { PublicationsService } from '../publications/publications-service.ts';
import { EnginesService } from '../settings/engines-service.ts';
import { SettingsService } from '../settings/settings-service.ts';
import { useConnection } from '../state/connection-store.ts';
import { isLive, usePanes } from '../state/panes-store.ts';
import { TranscriptsService } from '../transcripts/transcripts-service.ts';
import { followPresses } from '../ui/presses.ts';
import { Sessions } from '../workspace/sessions.ts';
import { Workspace } from '../workspace/workspace.ts';
import { tellRecovery } from './recovery.ts';
import type { Services } from './services.ts';
import { followTheme } from './theme.ts';

/** Makes everything that the page works with, and connects. What is made here lives as long as the page. */
export function start(): Services {
  const client = new Client();
  const settings = new SettingsService(client);
  const engines = new EnginesService(client);
  const sessions = new Sessions(client);
  const workspace = new Workspace(sessions);
  const parts = {
    client,
    settings,
    engines,
    manifests: new ManifestsService(client),
    governed: new GovernedService(client),
    approvals: new ApprovalsService(client),
    symbiont: new SymbiontService(client),
    publications: new PublicationsService(client),
    transcripts: new TranscriptsService(client),
    sessions,
    workspace,
  };
  const commands = new CommandRegistry(createActions(parts));
  followKeys();
  followTheme(() => sessions.views.refresh());
  followPresses();
  dispatchKeys(commands);
  followConnection({ ...parts, commands });
  warnBeforeLeaving();
  void client.connect();
  return { ...parts, commands };
}

function followConnection(services: Services): void {
  const { client, settings, engines, approvals, symbiont, publications, transcripts, commands } = services;
  let configured: Promise<unknown> = Promise.resolve();
  client.onState((connection) => {
    useConnection.setState({ connection });
    if (connection.kind === 'connected') {
      useConnection.setState({ farewell: null });
      configured = settings.load();
      void Promise.all([
        describeHost(client),
        configured,
        engines.load(),
        approvals.load(),
        symbiont.load(),
        publications.load(),
        transcripts.load(),
        tellRecovery(client),
      ]);
    } else transcripts.connectionLost();
  });
  client.onEvent((event) => {
    // A new tab has the profile of the settings.
    if (event.event === 'command.requested') void configured.then(() => commands.run(event.command));
    if (event.event === 'transcripts.changed') transcripts.changed();
    if (event.event === 'host.closing') useConnection.setState({ farewell: event.reason });
  });
  // A new launch address in the same tab changes the fragment alone, which loads nothing.
  window.addEventListener('hashchange', () => {
    if (window.location.hash !== '') void client.connect();
  });
}

async function describeHost(client: Client): Promise<void> {
  const answer = await client.request('host.describe', {});
  if (answer.ok) useConnection.setState({ host: answer.value });
}

/** A browser's tab is closed by one wrong key, and its sessions with it (ST-23). The desktop asks on its own. */
function warnBeforeLeaving(): void {
  window.addEventListener('beforeunload', (event) => {
    const inBrowser = useConnection.getState().host?.host === 'headless';
    if (inBrowser && Object.values(usePanes.getState().panes).some(isLive)) event.preventDefault();
  });
}

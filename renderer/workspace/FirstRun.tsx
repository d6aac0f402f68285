import { Terminal } from 'lucide-react';
import { useEffect } from 'react';
import { DEFAULT_PROFILE, sandboxProfiles } from '../../shared/settings/schema.ts';
import type { EngineStatus } from '../../shared/terminal/engine-status.ts';
import { Message } from '../app/Message.tsx';
import { useServices } from '../app/services.ts';
import { placeOf } from '../profiles/engine-state.ts';
import { useEngineCheck } from '../profiles/use-engine-check.ts';
import { engineOf, useEngines } from '../state/engines-store.ts';
import { useSettings } from '../state/settings-store.ts';
import { showSettingsSection, useWorkspace } from '../state/workspace-store.ts';
import { Button } from '../ui/Button.tsx';
import { EngineFixes } from '../ui/EngineFixes.tsx';
import { counted } from '../ui/format.ts';
import { Keys } from '../ui/Keys.tsx';
import { FolderPath } from './FolderPath.tsx';
import './first-run.css';

/** No session is open: what Airlock is, and one key to open a shell. */
export function FirstRun() {
  const { workspace, commands } = useServices();
  const engines = useEngines((state) => state.engines);
  const profile = useSettings(
    ({ settings }) =>
      sandboxProfiles(settings).find(({ id }) => id === settings.defaultProfile) ?? DEFAULT_PROFILE,
  );
  const askingFolder = useWorkspace((state) => state.askingFolder);
  // Left without an answer, the question is not asked elsewhere.
  useEffect(() => () => useWorkspace.setState({ askingFolder: false }), []);
  // What bubblewrap says of itself is so for every profile; others depend on what a profile names.
  const own = useEngineCheck(profile, profile.engine !== 'bubblewrap').status;
  const elsewhere = placeOf(profile, profile.engine) !== '';
  const status = own ?? (elsewhere ? null : engineOf(engines, profile.engine));
  const blocked = status !== null && !status.usable;
  const open = () => workspace.openTab();
  useOpenByEnter(open, !blocked && !askingFolder);
  return (
    <Message icon={<Terminal size={32} />} title="A shell that cannot reach your machine">
      <p className="message-text">
        Airlock opens shells inside a sandbox.
        <br />
        No network, none of your files, none of your keys.
        <br />
        Nothing gets in or out until you say so.
      </p>
      {askingFolder ? (
        <FolderPath onClose={() => useWorkspace.setState({ askingFolder: false })} />
      ) : (
        <div className="message-actions">
          <Button look="primary" isDisabled={blocked} onPress={open}>
            Open a shell <Keys keys={['Enter']} />
          </Button>
          <Button isDisabled={blocked} onPress={() => commands.run('app.open-folder')}>
            Open a project folder…
          </Button>
        </div>
      )}
      {blocked && <Blocked status={status} />}
      <p className="first-run-engines">
        {engines === null ? 'Checking engines…' : <EngineWords engines={engines} status={status} />}
        {' · '}
        <button type="button" className="link" onClick={() => showSettingsSection('engines')}>
          all engines
        </button>
      </p>
      {!blocked && (
        <p className="first-run-engines first-run-governed">
          Commands that are checked and approved:{' '}
          <button type="button" className="link" onClick={() => commands.run('governed.open')}>
            open a governed session
          </button>
        </p>
      )}
    </Message>
  );
}

/** Why no shell can be opened, and what to do about it. */
function Blocked({ status }: { readonly status: EngineStatus }) {
  return (
    <div className="first-run-blocked" role="status">
      <p>{status.summary}</p>
      <EngineFixes fixes={status.fixes} />
    </div>
  );
}

/** The engine that is opened with, and how many others there are. */
function EngineWords({
  engines,
  status,
}: {
  readonly engines: readonly EngineStatus[];
  readonly status: EngineStatus | null;
}) {
  const others = engines.filter((engine) => engine.usable && engine.kind !== status?.kind).length;
  const ready = status?.usable ? [status.summary.replace(/\.$/, '')] : [];
  const more = others === 0 ? [] : [`${counted(others, 'other engine')} ready`];
  const words = [...ready, ...more];
  return words.length === 0 ? 'No engine is usable' : words.join(' · ');
}

/** Enter opens a shell while nothing else has the focus. */
function useOpenByEnter(open: () => void, enabled: boolean): void {
  useEffect(() => {
    if (!enabled) return;
    const onKeyDown = (event: KeyboardEvent) => {
      // An Enter that chose something in a list is that list's, although the list is gone by now; so is one that is held on.
      if (event.key !== 'Enter' || event.repeat || event.defaultPrevented) return;
      if (document.activeElement === document.body) open();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  });
}

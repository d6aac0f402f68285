import { Plus } from 'lucide-react';
import { useState } from 'react';
import { smolvmSettingsSchema } from '../../shared/settings/engine-settings.ts';
import type { Profile } from '../../shared/settings/schema.ts';
import type { SmolvmMachine } from '../../shared/terminal/smolvm-machine.ts';
import { useServices } from '../app/services.ts';
import type { SettingField } from '../settings/fields.ts';
import { GeneratedField } from '../settings/GeneratedField.tsx';
import { Button } from '../ui/Button.tsx';
import { ConfirmRow } from '../ui/ConfirmRow.tsx';
import { useStateOf } from '../ui/use-state-of.ts';
import { VisibleText } from '../ui/VisibleText.tsx';
import { NewMachineForm } from './NewMachineForm.tsx';
import { Picker } from './Picker.tsx';
import { machineWords } from './resource-words.ts';
import { UnresolvedSessions } from './UnresolvedSessions.tsx';
import { useMachines } from './use-machines.ts';
import './machines.css';

interface MachineFieldProps {
  readonly field: SettingField;
  readonly profile: Profile;
  readonly onChange: (machine: string) => void;
  /** Something on the server has changed. */
  readonly onServerChange: () => void;
}

/** A machine of the server: which one, how it stands, and what can be done to it. */
export function MachineField({ field, profile, onChange, onServerChange }: MachineFieldProps) {
  const { client } = useServices();
  const { server, machines, asked, reload } = useMachines(profile);
  // A machine that is being made on another server is not chosen on this one.
  const [opened, setOpened] = useStateOf<'picker' | 'form' | null>(server, null);
  const { machine: name, address } = smolvmSettingsSchema.parse(profile.smolvm ?? {});
  const chosen = machines?.find((machine) => machine.name === name) ?? null;
  const changed = () => {
    reload();
    onServerChange();
  };
  const load = async () => {
    const answer = await client.request('machines.list', { profile });
    if (!answer.ok) return answer;
    const entries = answer.value.machines.map((machine) => ({
      id: machine.name,
      title: machine.name,
      group: machine.unsupported ?? machineWords(machine),
      choose: () => onChange(machine.name),
    }));
    return { ok: true, value: { entries, more: 0 } } as const;
  };
  return (
    <>
      <GeneratedField
        field={field}
        value={name}
        kind="literal"
        onChange={(value) => onChange(String(value))}
        beside={
          <>
            <Button
              aria-label="Choose a machine"
              isDisabled={address === ''}
              onPress={() => setOpened('picker')}
            >
              Choose…
            </Button>
            <Button isDisabled={address === ''} onPress={() => setOpened('form')}>
              <Plus size={14} aria-hidden="true" />
              New machine…
            </Button>
          </>
        }
        below={
          <div className="machine-below">
            {chosen && (
              <MachineCard key={`${server} ${name}`} profile={profile} machine={chosen} onChanged={changed} />
            )}
            <UnresolvedSessions
              machine={name}
              listed={chosen?.unresolved ?? null}
              asked={asked}
              onResolved={changed}
            />
          </div>
        }
      />
      {opened === 'form' && (
        <NewMachineForm
          profile={profile}
          onClose={() => setOpened(null)}
          onCreated={(created) => {
            setOpened(null);
            onChange(created);
            changed();
          }}
        />
      )}
      {opened === 'picker' && (
        <Picker
          title="Machines of this server"
          label="Search machines"
          none="The server has no machine of such a name."
          load={load}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

type Change = 'start' | 'stop' | 'delete';

const VERBS = { start: 'machines.start', stop: 'machines.stop', delete: 'machines.delete' } as const;

interface MachineCardProps {
  readonly profile: Profile;
  readonly machine: SmolvmMachine;
  readonly onChanged: () => void;
}

/** How the chosen machine stands. What takes something away from those who work on it is asked about first. */
function MachineCard({ profile, machine, onChanged }: MachineCardProps) {
  const { client } = useServices();
  const [asking, setAsking] = useState<Exclude<Change, 'start'> | null>(null);
  const [busy, setBusy] = useState<Change | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { name, state, session, unsupported } = machine;
  const change = async (what: Change) => {
    setAsking(null);
    setBusy(what);
    const answer = await client.request(VERBS[what], { profile, name });
    setBusy(null);
    setProblem(answer.ok ? null : answer.error.message);
    onChanged();
  };
  const isTaken = session !== 'none';
  return (
    <section className="machine-card" aria-label={`Machine ${name}`} data-machine-state={state}>
      <span className="machine-dot" aria-hidden="true" />
      <p className="machine-words">
        <VisibleText text={machineWords(machine)} />
        {session === 'here' && ' · a session is open'}
      </p>
      {asking !== null ? (
        <ConfirmRow
          question={QUESTIONS[asking](name)}
          yes={asking === 'stop' ? 'Stop machine' : 'Delete machine'}
          onYes={() => void change(asking)}
          onNo={() => setAsking(null)}
        />
      ) : (
        <span className="machine-actions">
          {(state === 'stopped' || state === 'created') && (
            <Button isDisabled={busy !== null} onPress={() => void change('start')}>
              {busy === 'start' ? 'Starting…' : 'Start'}
            </Button>
          )}
          {state === 'running' && (
            <Button isDisabled={busy !== null || isTaken} onPress={() => setAsking('stop')}>
              {busy === 'stop' ? 'Stopping…' : 'Stop…'}
            </Button>
          )}
          <Button look="quiet" isDisabled={busy !== null || isTaken} onPress={() => setAsking('delete')}>
            {busy === 'delete' ? 'Deleting…' : 'Delete…'}
          </Button>
        </span>
      )}
      {unsupported !== null && (
        <p className="machine-problem">
          <VisibleText text={unsupported} />
        </p>
      )}
      {problem !== null && (
        <p className="machine-problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

const QUESTIONS = {
  stop: (name: string) => `Stop “${name}” and everything that runs in it?`,
  delete: (name: string) => `Delete “${name}” and its disks for good?`,
} as const;

import { useEffect, useRef, useState } from 'react';
import type { Profile } from '../../shared/settings/schema.ts';
import { type NewSmolvmMachine, newSmolvmMachineSchema } from '../../shared/terminal/smolvm-machine.ts';
import { useServices } from '../app/services.ts';
import { fieldsOf, type SettingField } from '../settings/fields.ts';
import { GeneratedField } from '../settings/GeneratedField.tsx';
import { Button } from '../ui/Button.tsx';
import { useIsMounted } from '../ui/use-is-mounted.ts';

interface NewMachineFormProps {
  readonly profile: Profile;
  readonly onCreated: (name: string) => void;
  readonly onClose: () => void;
}

const WORDS: Readonly<Record<keyof NewSmolvmMachine, readonly [title: string, description: string]>> = {
  name: ['Name of the machine', 'a-z, 0-9, _ and -.'],
  image: ['Image of the machine', 'Fetched by the server, such as docker.io/library/debian:12.'],
  cpus: ['CPUs', ''],
  memoryMiB: ['Memory of the machine', 'MiB.'],
  storageGiB: ['Disk', 'GiB.'],
  network: ['Network of the machine', 'Everything that the server’s machine can reach.'],
};
const FIELDS: readonly SettingField[] = fieldsOf(newSmolvmMachineSchema).map((field) => {
  const [title, description] = WORDS[field.key as keyof NewSmolvmMachine];
  return { ...field, title, description };
});
const STANDARD: Readonly<Record<string, unknown>> = Object.fromEntries(
  FIELDS.map(({ key, standard }) => [key, standard ?? '']),
);

/** What a new machine is made of. Nothing is made before the last button. */
export function NewMachineForm({ profile, onCreated, onClose }: NewMachineFormProps) {
  const { client } = useServices();
  const [values, setValues] = useState(STANDARD);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isMounted = useIsMounted();
  const parsed = newSmolvmMachineSchema.safeParse(values);
  const form = useRef<HTMLElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const create = async (machine: NewSmolvmMachine) => {
    setBusy(true);
    const answer = await client.request('machines.create', { profile, machine });
    // Closed meanwhile, the machine is there and in the list; it takes the place of no other.
    if (!isMounted()) return;
    setBusy(false);
    if (answer.ok) onCreated(machine.name);
    else setProblem(answer.error.message);
  };
  return (
    <section ref={form} className="machine-form" aria-labelledby="new-machine-title">
      <h5 id="new-machine-title" className="machine-form-title">
        New machine
      </h5>
      {FIELDS.map((field) => (
        <GeneratedField
          key={field.key}
          field={field}
          value={values[field.key]}
          kind="literal"
          below={
            field.key === 'network' &&
            values['network'] === true && (
              <p className="profile-consequence profile-dangerous">
                Whatever runs in the machine reaches that network, in this session and in every other one.
              </p>
            )
          }
          onChange={(value) => setValues((before) => ({ ...before, [field.key]: value }))}
        />
      ))}
      <div className="machine-form-foot">
        <p className="machine-form-words">
          {parsed.success
            ? `“${parsed.data.name}” is made on the server and stays there until you delete it.`
            : 'A machine needs a name and an image.'}
        </p>
        <Button
          look="primary"
          isDisabled={!parsed.success || busy}
          onPress={() => parsed.success && void create(parsed.data)}
        >
          {busy ? 'Creating…' : 'Create machine'}
        </Button>
        <Button onPress={onClose}>{busy ? 'Close' : 'Cancel'}</Button>
      </div>
      {problem !== null && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

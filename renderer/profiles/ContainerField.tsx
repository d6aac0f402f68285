import { useState } from 'react';
import type { AttachSettings } from '../../shared/settings/engine-settings.ts';
import { useServices } from '../app/services.ts';
import type { SettingField } from '../settings/fields.ts';
import { GeneratedField } from '../settings/GeneratedField.tsx';
import { Button } from '../ui/Button.tsx';
import { Picker } from './Picker.tsx';
import { containerWords } from './resource-words.ts';

interface ContainerFieldProps {
  readonly field: SettingField;
  readonly settings: AttachSettings;
  readonly below: React.ReactNode;
  readonly onChange: (container: string) => void;
}

/** A container that runs: by name or id, or from the list of those that run now. */
export function ContainerField({ field, settings, below, onChange }: ContainerFieldProps) {
  const { client } = useServices();
  const [choosing, setChoosing] = useState(false);
  const { container, endpoint, certificates } = settings;
  const load = async () => {
    const answer = await client.request('containers.running', { endpoint, certificates });
    if (!answer.ok) return answer;
    const { containers, more } = answer.value;
    const entries = containers.map((found) => ({
      id: found.id,
      title: found.name,
      group: containerWords(found),
      choose: () => onChange(found.name),
    }));
    return { ok: true, value: { entries, more } } as const;
  };
  return (
    <>
      <GeneratedField
        field={field}
        value={container}
        kind="literal"
        onChange={(value) => onChange(String(value))}
        beside={
          <Button aria-label="Choose a container" onPress={() => setChoosing(true)}>
            Choose…
          </Button>
        }
        below={below}
      />
      {choosing && (
        <Picker
          title="Running containers of this endpoint"
          label="Search containers"
          none="No container runs there under such a name."
          load={load}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}

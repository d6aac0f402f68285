import { useState } from 'react';
import { type ContainerSettings, containerSettingsSchema } from '../../shared/settings/engine-settings.ts';
import { sandboxProfiles } from '../../shared/settings/schema.ts';
import { useServices } from '../app/services.ts';
import type { PaletteEntry } from '../commands/PaletteList.tsx';
import type { SettingField } from '../settings/fields.ts';
import { GeneratedField } from '../settings/GeneratedField.tsx';
import { showPull, useEngines } from '../state/engines-store.ts';
import { useSettings } from '../state/settings-store.ts';
import { Button } from '../ui/Button.tsx';
import { Picker } from './Picker.tsx';
import { imageWords, isImageName, pullWords } from './resource-words.ts';

interface ImageFieldProps {
  readonly field: SettingField;
  readonly profileId: string;
  readonly settings: ContainerSettings;
  readonly onChange: (image: string) => void;
}

/** An image of the endpoint: by name, from the list of what is there, or fetched first. */
export function ImageField({ field, profileId, settings, onChange }: ImageFieldProps) {
  const { client, engines } = useServices();
  const [choosing, setChoosing] = useState(false);
  const [names, setNames] = useState<ReadonlySet<string>>(new Set());
  const { image, endpoint, certificates } = settings;
  const at = { endpoint, certificates };
  const load = async () => {
    const answer = await client.request('containers.images', at);
    if (!answer.ok) return answer;
    const { images, more } = answer.value;
    setNames(new Set(images.map(({ name }) => name)));
    const entries = images.map((found) => ({
      id: `image ${found.name} ${found.id}`,
      title: found.name,
      group: imageWords(found),
      choose: () => onChange(found.name),
    }));
    return { ok: true, value: { entries, more } } as const;
  };
  const pull = async (name: string) => {
    if (!(await engines.pull(profileId, at, name))) return;
    // Minutes may have passed: another image, another daemon and another id are a newer choice.
    const now = sandboxProfiles(useSettings.getState().settings).find(({ id }) => id === profileId);
    if (now === undefined) return;
    const chosen = containerSettingsSchema.parse(now.container ?? {});
    if (chosen.image === image && chosen.endpoint === endpoint) onChange(name);
  };
  const fetchEntry = (query: string): PaletteEntry | null => {
    if (!isImageName(query) || names.has(query) || names.has(`${query}:latest`)) return null;
    return {
      id: 'pull',
      title: `Pull ${query}`,
      group: 'the daemon fetches it from its registry',
      choose: () => void pull(query),
    };
  };
  return (
    <>
      <GeneratedField
        field={field}
        value={image}
        kind="place"
        onChange={(value) => onChange(String(value))}
        beside={
          <Button aria-label="Choose an image" onPress={() => setChoosing(true)}>
            Choose…
          </Button>
        }
        below={<PullLine profileId={profileId} />}
      />
      {choosing && (
        <Picker
          title="Images of this endpoint"
          label="Search images, or name one to pull"
          none="No image has this name. Type a whole name, such as alpine:3.20, to pull it."
          load={load}
          extra={fetchEntry}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}

/** How far a pull is; it goes on while something else is looked at. */
function PullLine({ profileId }: { readonly profileId: string }) {
  const pull = useEngines(({ pulls }) => pulls[profileId]);
  if (pull === undefined) return null;
  if (pull.kind === 'failed') {
    return (
      <div className="pull pull-failed" role="alert">
        <p className="pull-reason selectable">
          <code>{pull.image}</code>: {pull.reason}
        </p>
        <Button look="quiet" onPress={() => showPull(profileId, null)}>
          Dismiss
        </Button>
      </div>
    );
  }
  const { progress } = pull;
  return (
    <div className="pull">
      <p className="pull-words">
        Pulling <code>{pull.image}</code>
        <span className="pull-progress">{pullWords(progress)}</span>
      </p>
      <progress
        aria-label={`Pulling ${pull.image}`}
        max={progress?.totalBytes ?? 1}
        value={progress?.totalBytes ? Math.min(progress.doneBytes, progress.totalBytes) : undefined}
      />
      <Button onPress={pull.cancel}>Cancel</Button>
    </div>
  );
}

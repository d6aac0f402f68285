import { FolderOpen } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useServices } from '../app/services.ts';
import { fieldError, type SettingField } from '../settings/fields.ts';
import { useConnection } from '../state/connection-store.ts';
import { Button } from '../ui/Button.tsx';
import { FieldRow } from '../ui/FieldRow.tsx';
import { TextControl } from '../ui/TextControl.tsx';

interface FolderFieldProps {
  readonly field: SettingField;
  readonly use: 'project' | 'scratch';
  readonly path: string | null;
  /** What giving a folder means, in words. */
  readonly consequence: string;
  readonly dangerous?: boolean;
  readonly onChange: (path: string | null) => void;
}

/** A folder of the host's machine, or none. */
export function FolderField({
  field,
  use,
  path,
  consequence,
  dangerous = false,
  onChange,
}: FolderFieldProps) {
  const { client } = useServices();
  const isDesktop = useConnection((state) => state.host?.host === 'desktop');
  const problem = useFolderProblem(path, use);
  const read = (text: string) => (text === '' ? null : text);
  const choose = async () => {
    const answer = await client.request('folder.choose', { use });
    if (answer.ok && answer.value.path !== null) onChange(answer.value.path);
  };
  const below = (
    <>
      {path !== null && (
        <p className={dangerous ? 'profile-consequence profile-dangerous' : 'profile-consequence'}>
          {consequence}
        </p>
      )}
      {problem !== null && (
        <p className="field-error" role="status">
          {problem}
        </p>
      )}
    </>
  );
  return (
    <FieldRow
      title={field.title}
      below={below}
      reset={path === null ? undefined : { to: 'none', onReset: () => onChange(null) }}
    >
      <TextControl
        label={field.title}
        description={field.description}
        kind="place"
        placeholder="none"
        value={path ?? ''}
        check={(text) => fieldError(field, read(text))}
        onCommit={(text) => onChange(read(text))}
      />
      {isDesktop && (
        <Button aria-label={`Choose the ${field.title.toLowerCase()}`} onPress={() => void choose()}>
          <FolderOpen size={14} aria-hidden="true" />
          Choose…
        </Button>
      )}
    </FieldRow>
  );
}

/** Why the host could not use the folder now; it may still come to be later. */
function useFolderProblem(path: string | null, use: FolderFieldProps['use']): string | null {
  const { client } = useServices();
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let current = true;
    setProblem(null);
    if (path === null) return;
    void client.request('folder.check', { path, use }).then((answer) => {
      if (!current) return;
      if (!answer.ok) setProblem(answer.error.message);
      else if (!answer.value.usable) setProblem(answer.value.reason);
    });
    return () => {
      current = false;
    };
  }, [client, path, use]);
  return problem;
}

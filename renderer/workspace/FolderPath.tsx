import { useState } from 'react';
import { Input, Label, TextField } from 'react-aria-components';
import { FOLDER_TARGETS } from '../../shared/terminal/inside.ts';
import { useServices } from '../app/services.ts';
import { Button } from '../ui/Button.tsx';
import { useIsMounted } from '../ui/use-is-mounted.ts';

/** Asks for a folder of the host by its path: a headless host has no dialog of its own. */
export function FolderPath({ onClose }: { readonly onClose: () => void }) {
  const { client, workspace } = useServices();
  const [path, setPath] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [checking, setChecking] = useState(false);
  const isMounted = useIsMounted();
  const open = async () => {
    if (path.trim() === '') return setProblem('Type the path of a folder.');
    setChecking(true);
    const answer = await client.request('folder.check', { path: path.trim(), use: 'project' });
    if (!isMounted()) return;
    setChecking(false);
    if (!answer.ok) return setProblem(answer.error.message);
    if (!answer.value.usable) return setProblem(answer.value.reason);
    onClose();
    workspace.openTab({ project: answer.value.path });
  };
  return (
    <form
      className="folder-path"
      onSubmit={(event) => {
        event.preventDefault();
        if (!checking) void open();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <TextField
        autoFocus
        value={path}
        isInvalid={problem !== null}
        onChange={(next) => {
          setPath(next);
          setProblem(null);
        }}
      >
        <Label className="visually-hidden">Path of the project folder</Label>
        <div className="folder-path-row">
          <Input
            className="input input-literal"
            placeholder="/home/you/project"
            spellCheck={false}
            autoComplete="off"
          />
          <Button look="primary" type="submit">
            Open
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </TextField>
      <p className="folder-path-words" role="status" data-error={problem !== null || undefined}>
        {problem ??
          `A folder of the machine that Airlock runs on. The shell reads it at ${FOLDER_TARGETS.project} and cannot change it.`}
      </p>
    </form>
  );
}

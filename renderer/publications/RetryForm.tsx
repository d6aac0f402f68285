import { useState } from 'react';
import { useServices } from '../app/services.ts';
import { FolderInput } from '../governed/FolderInput.tsx';
import { useTypedFolder } from '../governed/use-typed-folder.ts';
import { Button } from '../ui/Button.tsx';
import { useIsMounted } from '../ui/use-is-mounted.ts';
import { joinPath, nameProblem, splitPath } from './destination.ts';
import { NameInput } from './NameInput.tsx';

interface RetryFormProps {
  readonly id: string;
  readonly destination: string;
  readonly onClose: () => void;
}

/** Where the kept file is to go instead. A person is asked again. */
export function RetryForm({ id, destination, onClose }: RetryFormProps) {
  const { publications } = useServices();
  const { folder, named, settled, field } = useTypedFolder(splitPath(destination).folder);
  const [name, setName] = useState(splitPath(destination).name);
  const [state, setState] = useState<{ readonly asking: boolean; readonly problem: string | null }>({
    asking: false,
    problem: null,
  });
  const isMounted = useIsMounted();
  const unchanged = folder !== null && joinPath(folder, name) === destination;
  const publish = async () => {
    if (nameProblem(name) !== null) return;
    const into = await settled();
    if (into === null || !isMounted()) return;
    setState({ asking: true, problem: null });
    const problem = await publications.retry(id, joinPath(into, name));
    setState({ asking: false, problem });
    if (problem === null) onClose();
  };
  return (
    <form
      className="retry-form"
      aria-label="Publish under another name"
      onSubmit={(event) => {
        event.preventDefault();
        void publish();
      }}
    >
      <FolderInput label="Folder" {...field} />
      <NameInput value={name} onChange={setName} autoFocus />
      <p className="publication-problem" role="status">
        {state.asking ? 'Waiting for your approval…' : state.problem}
      </p>
      <div className="retry-actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button
          look="primary"
          type="submit"
          isDisabled={state.asking || !named || nameProblem(name) !== null || unchanged}
        >
          Ask for approval
        </Button>
      </div>
    </form>
  );
}

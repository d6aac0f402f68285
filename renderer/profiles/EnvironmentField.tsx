import { Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Profile, profileSchema } from '../../shared/settings/schema.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { TextControl } from '../ui/TextControl.tsx';

type Environment = Profile['environment'];

interface EnvironmentFieldProps {
  readonly environment: Environment;
  readonly onChange: (edit: (environment: Environment) => Environment) => void;
}

/** Variables by name and value. A new one is written as NAME=value. */
export function EnvironmentField({ environment, onChange }: EnvironmentFieldProps) {
  const [adding, setAdding] = useState(false);
  const another = useRef<HTMLButtonElement>(null);
  const set = (name: string, value: string) => onChange((all) => ({ ...all, [name]: value }));
  const remove = (name: string) =>
    onChange((all) => Object.fromEntries(Object.entries(all).filter(([key]) => key !== name)));
  const add = (line: string) => {
    set(...splitAssignment(line));
    stopAdding();
  };
  /** The focus goes to where the next one is added: what had it is gone. */
  const stopAdding = () => {
    flushSync(() => setAdding(false));
    another.current?.focus();
  };
  return (
    <fieldset className="environment" aria-label="Environment">
      <div className="environment-head">
        <div className="field-words">
          <span className="field-label">Environment</span>
          <span className="field-description">
            Variables set in the sandbox besides its own few. The program reads them: no secrets it must not
            have.
          </span>
        </div>
        <Button ref={another} onPress={() => setAdding(true)} isDisabled={adding}>
          <Plus size={14} aria-hidden="true" />
          Add variable
        </Button>
      </div>
      {Object.entries(environment).map(([name, value]) => (
        <div key={name} className="environment-row">
          <TextControl
            label={name}
            kind="literal"
            value={value}
            check={(text) => environmentProblem({ [name]: text })}
            onCommit={(text) => set(name, text)}
          />
          <IconButton label={`Remove ${name}`} onPress={() => remove(name)}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      {adding && (
        <div className="environment-row">
          <TextControl
            label="New variable"
            description="NAME=value, then Enter."
            kind="literal"
            placeholder="NAME=value"
            value=""
            commits="enter"
            check={assignmentProblem}
            onCommit={add}
          />
          <IconButton label="Do not add a variable" onPress={stopAdding}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </fieldset>
  );
}

function splitAssignment(line: string): [string, string] {
  const at = line.indexOf('=');
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}

function assignmentProblem(line: string): string | null {
  if (!line.includes('=')) return 'Environment needs NAME=value.';
  const [name, value] = splitAssignment(line);
  return environmentProblem({ [name]: value });
}

function environmentProblem(environment: Environment): string | null {
  const parsed = profileSchema.shape.environment.safeParse(environment);
  if (parsed.success) return null;
  const [issue] = parsed.error.issues;
  const message = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message;
  return issue?.code === 'invalid_key' ? `The name ${message}.` : `The value ${message}.`;
}

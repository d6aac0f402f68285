import { useEffect, useId, useRef } from 'react';
import { nameProblem } from './destination.ts';

interface NameInputProps {
  readonly value: string;
  readonly autoFocus?: boolean;
  readonly onChange: (name: string) => void;
}

/** The name of the new file. */
export function NameInput({ value, autoFocus = false, onChange }: NameInputProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (autoFocus) input.current?.select();
  }, [autoFocus]);
  const problem = nameProblem(value);
  return (
    <div className="folder-input">
      <label htmlFor={id} className="picker-label">
        Name
      </label>
      <input
        id={id}
        ref={input}
        className="argument-input"
        value={value}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={problem !== null}
        aria-describedby={`${id}-words`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-words`} className="argument-hint" data-problem={problem !== null || undefined}>
        {problem ?? 'Never overwrites: if it is there already, nothing happens to it.'}
      </p>
    </div>
  );
}

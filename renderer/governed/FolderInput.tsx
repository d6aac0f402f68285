import { type Ref, useEffect, useId, useRef, useState } from 'react';
import { useServices } from '../app/services.ts';
import { useConnection } from '../state/connection-store.ts';
import { Button } from '../ui/Button.tsx';

interface FolderInputProps {
  readonly label: string;
  readonly value: string | null;
  /** Why a folder is needed now; null while it need not be named. */
  readonly wanted?: string | null;
  /** What is to be named, before anything is wrong. */
  readonly hint?: string;
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly autoFocus?: boolean;
  /** Told of the text while it is typed, before the host is asked. */
  readonly onTyped?: (text: string) => void;
  /** Told of each question to the host; it resolves to the folder, or to null when there is none that can be used. */
  readonly onChecking?: (folder: Promise<string | null>) => void;
  /** Called with a folder that the host can use, or null for none: on Enter, on leaving the field, from the dialog. */
  readonly onChange: (folder: string | null) => void;
}

/** A folder of the host by its path; a desktop offers its dialog as well. Enter checks it. */
export function FolderInput({
  label,
  value,
  wanted = null,
  hint,
  inputRef,
  autoFocus = false,
  onTyped,
  onChecking,
  onChange,
}: FolderInputProps) {
  const { client } = useServices();
  const desktop = useConnection((state) => state.host?.host === 'desktop');
  const [draft, setDraft] = useState(value ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  /** Counts what was typed: an answer about an older text changes nothing. */
  const typed = useRef(0);
  useEffect(() => setDraft(value ?? ''), [value]);
  const check = async (path: string): Promise<string | null> => {
    const asked = typed.current;
    const answer = await client.request('folder.check', { path, use: 'files' });
    if (typed.current !== asked) return null;
    if (answer.ok && answer.value.usable) {
      onChange(answer.value.path);
      return answer.value.path;
    }
    setProblem(answer.ok ? answer.value.reason : answer.error.message);
    return null;
  };
  const take = (text: string) => {
    const path = text.trim();
    setProblem(null);
    if (path === (value ?? '')) return;
    if (path === '') return onChange(null);
    const checking = check(path);
    onChecking?.(checking);
  };
  const choose = async () => {
    const answer = await client.request('folder.choose', { use: 'files' });
    if (answer.ok && answer.value.path !== null) take(answer.value.path);
    else if (!answer.ok) setProblem(answer.error.message);
  };
  return (
    <div className="folder-input">
      <label htmlFor={id} className="picker-label">
        {label}
      </label>
      <div className="folder-input-row">
        <input
          id={id}
          ref={inputRef}
          // biome-ignore lint/a11y/noAutofocus: of a dialog that a person opened
          autoFocus={autoFocus}
          className="argument-input"
          placeholder="/home/you/reports"
          value={draft}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={problem !== null || (wanted !== null && draft === '')}
          aria-describedby={`${id}-words`}
          onChange={(event) => {
            typed.current += 1;
            setDraft(event.target.value);
            onTyped?.(event.target.value);
          }}
          onBlur={() => take(draft)}
          onKeyDown={(event) => {
            // In a form it is then sent, as by Enter in its other fields.
            if (event.key === 'Enter') take(draft);
          }}
        />
        {desktop && <Button onPress={() => void choose()}>Choose…</Button>}
      </div>
      <p
        id={`${id}-words`}
        className="argument-hint"
        role="status"
        data-problem={(problem ?? wanted) !== null || undefined}
      >
        {problem ?? wanted ?? hint}
      </p>
    </div>
  );
}

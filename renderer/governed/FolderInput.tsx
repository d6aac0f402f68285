import { type Ref, useEffect, useId, useState } from 'react';
import { useServices } from '../app/services.ts';
import { useConnection } from '../state/connection-store.ts';
import { Button } from '../ui/Button.tsx';
import { afterPress } from '../ui/presses.ts';
import { FolderQuestions } from './folder-questions.ts';

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
  const [questions] = useState(() => new FolderQuestions(client));
  useEffect(() => setDraft(value ?? ''), [value]);
  const check = async (path: string): Promise<string | null> => {
    const answer = await questions.ask(path);
    if (answer === null) return null;
    if (!answer.ok) {
      setProblem(answer.error);
      return null;
    }
    onChange(answer.value);
    return answer.value;
  };
  const take = (text: string) => {
    const path = text.trim();
    if (path === questions.underWay) return;
    questions.drop();
    setDraft(text);
    setProblem(null);
    if (path === (value ?? '')) return onChecking?.(Promise.resolve(value));
    if (path === '') return onChange(null);
    onChecking?.(check(path));
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
            questions.drop();
            setDraft(event.target.value);
            onTyped?.(event.target.value);
          }}
          onBlur={() => afterPress(() => take(draft))}
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

import { useEffect, useState } from 'react';
import { FieldError, Input, Label, Text, TextField } from 'react-aria-components';
import { afterPress } from './presses.ts';

interface TextControlProps {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  /** What is wrong with a text, as a sentence; null when it can be kept. */
  readonly check: (text: string) => string | null;
  /** Called with a text that `check` accepts: when the person presses Enter or leaves the field, by pointer once it is let go. */
  readonly onCommit: (text: string) => void;
  /** `enter`: leaving the field keeps nothing, since the text makes something new. */
  readonly commits?: 'enter' | 'enter-or-leave';
  readonly kind?: 'words' | 'literal' | 'place' | 'number';
  readonly placeholder?: string;
  readonly isDisabled?: boolean;
}

/**
 * A one-line text that is kept when it is complete and right. While it is wrong the reason stands below it and nothing
 * is kept; Escape brings the kept text back.
 */
export function TextControl({ label, description, value, check, onCommit, ...rest }: TextControlProps) {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  const error = draft === value ? null : check(draft);
  const commit = () => {
    if (draft !== value && error === null) onCommit(draft);
  };
  return (
    <TextField
      className="field"
      value={draft}
      onChange={setDraft}
      onBlur={() => rest.commits !== 'enter' && afterPress(commit)}
      isInvalid={error !== null}
      isDisabled={rest.isDisabled ?? false}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          // Else it would press what the focus goes to.
          event.preventDefault();
          commit();
        } else if (event.key === 'Escape' && draft !== value) setDraft(value);
        else event.continuePropagation();
      }}
    >
      <div className="field-words">
        <Label className="field-label">{label}</Label>
        {description && (
          <Text slot="description" className="field-description">
            {description}
          </Text>
        )}
        <FieldError className="field-error">{error}</FieldError>
      </div>
      <Input
        className={`input input-${rest.kind ?? 'words'}`}
        placeholder={rest.placeholder ?? ''}
        inputMode={rest.kind === 'number' ? 'decimal' : 'text'}
        spellCheck={false}
        autoComplete="off"
      />
    </TextField>
  );
}

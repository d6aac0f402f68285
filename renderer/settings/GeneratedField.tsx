import type { ReactNode } from 'react';
import { ChoiceControl } from '../ui/ChoiceControl.tsx';
import { FieldRow } from '../ui/FieldRow.tsx';
import { SwitchControl } from '../ui/SwitchControl.tsx';
import { TextControl } from '../ui/TextControl.tsx';
import { boundsWords, fieldError, numberError, numberText, readNumber, type SettingField } from './fields.ts';
import { optionLabel, valueWords } from './option-words.ts';

interface GeneratedFieldProps {
  readonly field: SettingField;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Options that let more in or out than the standard. */
  readonly dangerous?: readonly string[];
  readonly below?: ReactNode;
  /** Of a text that is to be read byte for byte: a name; a path or an address, which are long. */
  readonly kind?: 'words' | 'literal' | 'place';
  /** Stands beside the control: another way to fill it. */
  readonly beside?: ReactNode;
}

/** The control that a field's schema asks for, with its bounds in words. */
export function GeneratedField(props: GeneratedFieldProps) {
  const { field, value, onChange } = props;
  const changed = field.standard !== undefined && value !== field.standard;
  const reset = changed ? { to: standardWords(field), onReset: () => onChange(field.standard) } : undefined;
  return (
    <FieldRow title={field.title} reset={reset} below={props.below}>
      <FieldControl {...props} />
      {props.beside}
    </FieldRow>
  );
}

function standardWords({ control, standard }: SettingField): string {
  return control.kind === 'number' && typeof standard === 'number'
    ? numberText(control, standard)
    : valueWords(standard);
}

function FieldControl({ field, value, onChange, dangerous = [], kind = 'words' }: GeneratedFieldProps) {
  const { control, title } = field;
  const description = [field.description, boundsWords(control)].filter(Boolean).join(' ');
  switch (control.kind) {
    case 'switch':
      return (
        <SwitchControl
          label={title}
          description={description}
          isSelected={value === true}
          onChange={onChange}
        />
      );
    case 'choice':
      return (
        <ChoiceControl
          label={title}
          description={description}
          value={String(value)}
          choices={control.options.map((option) => ({
            value: option,
            label: optionLabel(option),
            dangerous: dangerous.includes(option),
          }))}
          onChange={onChange}
        />
      );
    case 'number':
      return (
        <TextControl
          label={title}
          description={description}
          kind="number"
          value={typeof value === 'number' ? numberText(control, value) : ''}
          placeholder={control.optional ? 'none' : ''}
          check={(text) => numberError(field, control, text)}
          onCommit={(text) => onChange(readNumber(control, text))}
        />
      );
    case 'text': {
      const read = (text: string) => (control.optional && text === '' ? null : text);
      return (
        <TextControl
          label={title}
          description={description}
          kind={kind}
          value={typeof value === 'string' ? value : ''}
          placeholder={control.optional ? 'none' : ''}
          check={(text) => fieldError(field, read(text))}
          onCommit={(text) => onChange(read(text))}
        />
      );
    }
  }
}

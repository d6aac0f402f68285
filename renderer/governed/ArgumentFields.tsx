import { useId } from 'react';
import type { Argument, ManifestCommand } from '../../shared/governed/manifest.ts';
import { hiddenCount } from '../../shared/terminal/visible-text.ts';
import { useServices } from '../app/services.ts';
import type { CommandBarState } from '../state/governed-store.ts';
import { counted } from '../ui/format.ts';
import type { PaneId } from '../workspace/layout-tree.ts';
import { argumentHint, argumentLabel } from './argument-words.ts';
import { manifestText } from './manifest-words.ts';

interface ArgumentFieldsProps {
  readonly pane: PaneId;
  readonly command: ManifestCommand;
  readonly bar: CommandBarState;
}

/** The arguments beside the text: they are checked, shown to whoever approves, and never sent to the terminal (M6). */
export function ArgumentFields({ pane, command, bar }: ArgumentFieldsProps) {
  const { governed } = useServices();
  const args = command.args.filter(({ name }) => name !== 'command');
  if (args.length === 0) return null;
  return (
    <div className="argument-fields">
      {args.map((argument) => (
        <ArgumentField
          key={argument.name}
          argument={argument}
          value={bar.draft.args[argument.name] ?? ''}
          problem={bar.touched ? (problemOf(bar, argument.name) ?? null) : null}
          onChange={(value) => governed.setArgument(pane, argument.name, value)}
          onRun={() => void governed.run(pane)}
        />
      ))}
    </div>
  );
}

interface ArgumentFieldProps {
  readonly argument: Argument;
  readonly value: string;
  readonly problem: string | null;
  readonly onChange: (value: string) => void;
  readonly onRun: () => void;
}

function ArgumentField({ argument, value, problem, onChange, onRun }: ArgumentFieldProps) {
  const id = useId();
  const hidden = hiddenCount(value);
  const field = {
    id,
    className: 'argument-input',
    value,
    'aria-invalid': problem !== null,
    'aria-describedby': `${id}-hint`,
    'aria-required': argument.required,
  };
  return (
    <div className="argument-field">
      <label htmlFor={id} className="argument-label">
        {argumentLabel(argument)}
      </label>
      <Control argument={argument} field={field} onChange={onChange} onRun={onRun} />
      <p id={`${id}-hint`} className="argument-hint" data-problem={problem !== null || undefined}>
        {problem ?? argumentHint(argument)}
        {hidden > 0 && ` ${counted(hidden, 'hidden character')} in it.`}
      </p>
    </div>
  );
}

interface ControlProps {
  readonly argument: Argument;
  readonly field: { readonly id: string; readonly className: string; readonly value: string };
  readonly onChange: (value: string) => void;
  readonly onRun: () => void;
}

function Control({ argument, field, onChange, onRun }: ControlProps) {
  const choices = argument.type === 'boolean' ? ['true', 'false'] : argument.allowed;
  if (choices !== null && (argument.type === 'boolean' || argument.type === 'enum')) {
    return (
      <select {...field} onChange={(event) => onChange(event.target.value)}>
        {(!argument.required || field.value === '') && <option value="">–</option>}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {manifestText(choice)}
          </option>
        ))}
      </select>
    );
  }
  if (argument.type === 'literal_text')
    return (
      <textarea {...field} rows={2} spellCheck={false} onChange={(event) => onChange(event.target.value)} />
    );
  return (
    <input
      {...field}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.repeat) return;
        event.preventDefault();
        onRun();
      }}
    />
  );
}

function problemOf({ check }: CommandBarState, name: string): string | undefined {
  return check?.problems.find(({ field }) => field === name)?.message;
}

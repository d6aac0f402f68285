import { Label, RadioButton, RadioField, RadioGroup, Text } from 'react-aria-components';

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Lets more in or out than the standard: said in colour as well. */
  readonly dangerous?: boolean;
}

interface ChoiceControlProps<Value extends string> {
  readonly label: string;
  readonly description?: string;
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
}

/** A few choices side by side, one of which is taken. */
export function ChoiceControl<Value extends string>(props: ChoiceControlProps<Value>) {
  const { label, description, value, choices, onChange } = props;
  return (
    <RadioGroup
      className="field"
      orientation="horizontal"
      value={value}
      onChange={(next) => onChange(next as Value)}
    >
      <div className="field-words">
        <Label className="field-label">{label}</Label>
        {description && (
          <Text slot="description" className="field-description">
            {description}
          </Text>
        )}
      </div>
      <div className="segments">
        {choices.map((choice) => (
          <RadioField key={choice.value} value={choice.value}>
            <RadioButton className={choice.dangerous ? 'segment segment-dangerous' : 'segment'}>
              {choice.label}
            </RadioButton>
          </RadioField>
        ))}
      </div>
    </RadioGroup>
  );
}

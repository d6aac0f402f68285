import { SwitchButton, SwitchField, Text } from 'react-aria-components';

interface SwitchControlProps {
  readonly label: string;
  readonly description?: string;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
}

/** On or off. The whole row is its label. */
export function SwitchControl({ label, description, isSelected, onChange }: SwitchControlProps) {
  return (
    <SwitchField className="field" isSelected={isSelected} onChange={onChange}>
      <SwitchButton className="switch">
        <span className="field-label">{label}</span>
        <span className="switch-track">
          <span className="switch-thumb" />
        </span>
      </SwitchButton>
      {description && (
        <Text slot="description" className="field-description">
          {description}
        </Text>
      )}
    </SwitchField>
  );
}

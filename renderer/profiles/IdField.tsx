import { symbiontProfileSchema } from '../../shared/settings/schema.ts';
import { fieldError, fieldsOf } from '../settings/fields.ts';
import { useSettings } from '../state/settings-store.ts';
import { FieldRow } from '../ui/FieldRow.tsx';
import { TextControl } from '../ui/TextControl.tsx';

interface IdFieldProps {
  readonly id: string;
  readonly description?: string | undefined;
  readonly onChange: (id: string) => void;
}

/** The id is of the same form in every kind of profile, and unique among all. */
const [FIELD] = fieldsOf(symbiontProfileSchema.pick({ id: true }));

export function IdField({
  id,
  description = 'Names the profile in the settings file and on the command line.',
  onChange,
}: IdFieldProps) {
  const ids = useSettings((state) => state.settings.profiles.map((profile) => profile.id).join(' ')).split(
    ' ',
  );
  return (
    <FieldRow title="Id">
      <TextControl
        label="Id"
        description={description}
        kind="literal"
        value={id}
        check={(text) =>
          ids.includes(text)
            ? 'Id repeats the id of another profile.'
            : FIELD
              ? fieldError(FIELD, text)
              : null
        }
        onCommit={onChange}
      />
    </FieldRow>
  );
}

import { type SymbiontProfile, symbiontProfileSchema } from '../../shared/settings/schema.ts';
import { useServices } from '../app/services.ts';
import { SymbiontStatusLine } from '../approvals/SymbiontStatusLine.tsx';
import { REACH } from '../approvals/symbiont-words.ts';
import { fieldError, fieldsOf } from '../settings/fields.ts';
import { GeneratedField } from '../settings/GeneratedField.tsx';
import { statusOf, useSymbiont } from '../state/symbiont-store.ts';
import { FieldRow } from '../ui/FieldRow.tsx';
import { TextControl } from '../ui/TextControl.tsx';
import { IdField } from './IdField.tsx';
import { changeProfile } from './profile-edits.ts';
import { TokenField } from './TokenField.tsx';

interface SymbiontEditorProps {
  readonly profile: SymbiontProfile;
  readonly onIdChange: (id: string) => void;
}

/** The fields of a Symbiont runtime, its token, and how it goes with following it: that is the test of both. */
export function SymbiontEditor({ profile, onIdChange }: SymbiontEditorProps) {
  const { settings: service, symbiont } = useServices();
  const status = useSymbiont((state) => statusOf(state, profile.id));
  const set = (change: Partial<Omit<SymbiontProfile, 'kind'>>) =>
    void service.change((settings) => changeProfile(settings, profile.id, change));
  return (
    <div className="profile-editor">
      {fieldsOf(symbiontProfileSchema.pick({ name: true })).map((field) => (
        <GeneratedField
          key={field.key}
          field={field}
          value={profile.name}
          onChange={(name) => set({ name: String(name) })}
        />
      ))}
      {fieldsOf(symbiontProfileSchema.pick({ address: true })).map((field) => (
        <FieldRow
          key={field.key}
          title={field.title}
          below={
            <div className="profile-status">
              <SymbiontStatusLine status={status} />
            </div>
          }
        >
          <TextControl
            label={field.title}
            description={field.description}
            kind="place"
            value={profile.address}
            check={(text) => fieldError(field, text)}
            onCommit={(address) => set({ address })}
          />
        </FieldRow>
      ))}
      <TokenField
        owner={`${profile.id} ${profile.address}`}
        isKept={status !== null && status.kind !== 'no-token'}
        what="What SYMBIONT_API_TOKEN is there."
        onSave={(token) => symbiont.saveToken(profile.id, token)}
        onForget={() => symbiont.forgetToken(profile.id)}
      />
      <p className="profile-reach">{REACH}</p>

      <h4 className="profile-group">In the settings file</h4>
      <IdField
        id={profile.id}
        description="Names the profile in the settings file. After a change the token has to be saved again."
        onChange={onIdChange}
      />
    </div>
  );
}

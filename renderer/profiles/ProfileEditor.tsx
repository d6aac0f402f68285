import type { ReactNode } from 'react';
import { type Profile, profileSchema, sandboxLimitsSchema } from '../../shared/settings/schema.ts';
import { useServices } from '../app/services.ts';
import { fieldsOf, type SettingField } from '../settings/fields.ts';
import { GeneratedField } from '../settings/GeneratedField.tsx';
import { FieldRow } from '../ui/FieldRow.tsx';
import { TextControl } from '../ui/TextControl.tsx';
import { formatArgv, parseArgv } from './argv.ts';
import { EngineField } from './EngineField.tsx';
import { EnvironmentField } from './EnvironmentField.tsx';
import { FolderField } from './FolderField.tsx';
import { IdField } from './IdField.tsx';
import { changeProfile } from './profile-edits.ts';

interface ProfileEditorProps {
  readonly profile: Profile;
  readonly onIdChange: (id: string) => void;
}

const FIELDS = new Map(fieldsOf(profileSchema).map((field) => [field.key, field]));
const NETWORK_ON = (
  <p className="profile-consequence profile-dangerous">
    The program reaches everything that this machine reaches, and can send what it reads anywhere.
  </p>
);
const INPUT_RECORDED = (
  <p className="profile-consequence profile-dangerous">
    Passwords that are typed stand in the transcript, although no screen shows them.
  </p>
);
const LIMITS = fieldsOf(sandboxLimitsSchema);
const STANDARD_COMMAND = profileSchema.shape.command.parse(undefined);

/** Every field of one profile. Each change is kept at once; what is wrong is named and not kept. */
export function ProfileEditor({ profile, onIdChange }: ProfileEditorProps) {
  const { settings: service } = useServices();
  const set = (change: Partial<Profile>) =>
    void service.change((settings) => changeProfile(settings, profile.id, change));
  const generated = (key: keyof Profile, dangerous: readonly string[] = [], below?: ReactNode) => (
    <GeneratedField
      field={known(key)}
      below={below}
      value={profile[key]}
      dangerous={dangerous}
      onChange={(value) => set({ [key]: value })}
    />
  );
  return (
    <div className="profile-editor">
      {generated('name')}
      <EngineField engine={profile.engine} onChange={(engine) => set({ engine })} />
      <CommandField command={profile.command} onChange={(command) => set({ command })} />

      <h4 className="profile-group">What gets in and out</h4>
      {generated('network', ['host'], profile.network === 'host' && NETWORK_ON)}
      <FolderField
        field={known('project')}
        path={profile.project}
        consequence="The program reads everything in this folder."
        onChange={(project) => set({ project })}
      />
      <FolderField
        field={known('scratch')}
        path={profile.scratch}
        consequence="The program can change and delete everything in this folder."
        dangerous
        onChange={(scratch) => set({ scratch })}
      />
      {generated('clipboardWrite', ['allow'])}
      {generated('secondLook')}
      <EnvironmentField environment={profile.environment} onChange={(environment) => set({ environment })} />

      <h4 className="profile-group">Limits</h4>
      {LIMITS.map((field) => (
        <GeneratedField
          key={field.key}
          field={field}
          value={profile.limits[field.key as keyof Profile['limits']]}
          onChange={(value) => set({ limits: { ...profile.limits, [field.key]: value } })}
        />
      ))}

      <h4 className="profile-group">Transcripts</h4>
      {generated('record')}
      {generated('recordInput', [], profile.recordInput && INPUT_RECORDED)}
      {generated('recordMaxMiB')}
      {generated('keepDays')}
      {generated('keepMiB')}

      <h4 className="profile-group">Typing</h4>
      {generated('escapeCharacter')}

      <h4 className="profile-group">In the settings file</h4>
      <IdField
        id={profile.id}
        onChange={(id) => {
          set({ id });
          onIdChange(id);
        }}
      />
    </div>
  );
}

interface CommandFieldProps {
  readonly command: readonly string[];
  readonly onChange: (command: string[]) => void;
}

function CommandField({ command, onChange }: CommandFieldProps) {
  const check = (line: string) => {
    const argv = parseArgv(line);
    if (argv === null) return 'Program has a quote that is not closed.';
    const parsed = profileSchema.shape.command.safeParse(argv);
    return parsed.success ? null : `Program ${parsed.error.issues[0]?.message ?? 'is not usable'}.`;
  };
  const standard = formatArgv(STANDARD_COMMAND);
  const line = formatArgv(command);
  const reset = { to: standard, onReset: () => onChange([...STANDARD_COMMAND]) };
  return (
    <FieldRow title="Program" reset={line === standard ? undefined : reset}>
      <TextControl
        label="Program"
        description="The program inside the sandbox and its arguments, in quotes where they hold blanks."
        kind="literal"
        value={line}
        check={check}
        onCommit={(text) => onChange(parseArgv(text) ?? [...command])}
      />
    </FieldRow>
  );
}

function known(key: string): SettingField {
  const field = FIELDS.get(key);
  if (field === undefined) throw new Error(`The profile schema has no simple field ${key}`);
  return field;
}

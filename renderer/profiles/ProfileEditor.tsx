import { TriangleAlert } from 'lucide-react';
import { type Profile, profileSchema, sandboxLimitsSchema } from '../../shared/settings/schema.ts';
import type { EngineKind } from '../../shared/terminal/engine-status.ts';
import { useServices } from '../app/services.ts';
import { atLeast, fieldsOf, type SettingField } from '../settings/fields.ts';
import { GeneratedField } from '../settings/GeneratedField.tsx';
import { FieldRow } from '../ui/FieldRow.tsx';
import { TextControl } from '../ui/TextControl.tsx';
import { capitalised } from '../workspace/posture-words.ts';
import { formatArgv, parseArgv } from './argv.ts';
import { type Danger, type DangerField, dangersOf } from './dangers.ts';
import { EngineField } from './EngineField.tsx';
import { EngineBounds, EngineSection } from './EngineSection.tsx';
import { EnvironmentField } from './EnvironmentField.tsx';
import { asksFor, commandWords, ENGINE_FACTS, type OwnField, switchEngine } from './engine-facts.ts';
import { FolderField } from './FolderField.tsx';
import { IdField } from './IdField.tsx';
import { LackingField } from './LackingField.tsx';
import { editProfile, type ProfileEdit } from './profile-edits.ts';
import type { EngineCheck } from './use-engine-check.ts';

interface ProfileEditorProps {
  readonly profile: Profile;
  /** What the profile's engine says of it. */
  readonly check: EngineCheck;
  readonly onIdChange: (id: string) => void;
}

const FIELDS = new Map(fieldsOf(profileSchema).map((field) => [field.key, field]));
const LIMITS = fieldsOf(sandboxLimitsSchema);
/** What a profile that asks for nothing special says, for the fields that an engine may have nothing for. */
const NOTHING = { network: 'none', project: null, scratch: null, environment: {} } as const;

const TOKEN_GOES =
  'Names the profile in the settings file and on the command line. After a change the token of its server has to be saved again.';

/** Every field of one profile. Each change is kept at once; what is wrong is named and not kept. */
export function ProfileEditor({ profile, check, onIdChange }: ProfileEditorProps) {
  const { settings: service } = useServices();
  const { lacks, limitMins, limitsNote, words, command: standardCommand } = ENGINE_FACTS[profile.engine];
  const dangers = dangersOf(profile);
  const edit = (change: ProfileEdit) =>
    void service.change((settings) => editProfile(settings, profile.id, change));
  const set = (change: Partial<Profile>) => edit(() => change);
  const danger = (field: DangerField) => <DangerWords danger={dangers.find((one) => one.field === field)} />;
  const generated = (key: keyof Profile, dangerous: readonly string[] = [], field?: DangerField) => (
    <GeneratedField
      field={inWords(known(key), key === 'network' ? words?.network : undefined)}
      below={field && danger(field)}
      value={profile[key]}
      dangerous={dangerous}
      onChange={(value) => set({ [key]: value })}
    />
  );
  /** The field, or in words that the engine has nothing for it. */
  const unlessLacking = (field: OwnField, title: string, control: React.ReactNode) => {
    const words = lacks[field];
    if (words === undefined) return control;
    const clear = () => set(field in NOTHING ? { [field]: NOTHING[field as keyof typeof NOTHING] } : {});
    return <LackingField title={title} words={words} onClear={asksFor(profile, field) ? clear : null} />;
  };
  return (
    <div className="profile-editor">
      <DangerList dangers={dangers} />
      {generated('name')}

      <h4 className="profile-group">Engine</h4>
      <EngineField
        profile={profile}
        check={check}
        onChange={(engine) => edit((now) => switchEngine(now, engine))}
      />
      <EngineSection profile={profile} onChange={edit} onSurroundings={check.recheck} danger={danger} />
      <CommandField
        engine={profile.engine}
        command={profile.command}
        standard={standardCommand}
        onChange={(command) => set({ command })}
      />

      <h4 className="profile-group">What gets in and out</h4>
      {unlessLacking('network', 'Network', generated('network', ['host'], 'network'))}
      {unlessLacking(
        'project',
        'Project folder',
        <FolderField
          field={known('project')}
          use="project"
          path={profile.project}
          consequence="The program reads everything in this folder."
          onChange={(project) => set({ project })}
        />,
      )}
      {unlessLacking(
        'scratch',
        'Scratch folder',
        <FolderField
          field={known('scratch')}
          use="scratch"
          path={profile.scratch}
          consequence="The program can change and delete everything in this folder."
          dangerous
          onChange={(scratch) => set({ scratch })}
        />,
      )}
      {generated('clipboardWrite', ['allow'], 'clipboardWrite')}
      {unlessLacking('secondLook', 'Second look', generated('secondLook'))}
      {unlessLacking(
        'environment',
        'Environment',
        <EnvironmentField
          environment={profile.environment}
          onChange={(change) => edit(({ environment }) => ({ environment: change(environment) }))}
        />,
      )}

      <h4 className="profile-group">Limits</h4>
      {limitsNote && <p className="profile-note">{limitsNote}</p>}
      {unlessLacking(
        'limits',
        'Memory, processes, CPU',
        LIMITS.map((field) => (
          <GeneratedField
            key={field.key}
            field={atLeast(field, limitMins?.[field.key as keyof Profile['limits']])}
            value={profile.limits[field.key as keyof Profile['limits']]}
            onChange={(value) => edit(({ limits }) => ({ limits: { ...limits, [field.key]: value } }))}
          />
        )),
      )}
      <EngineBounds profile={profile} onChange={edit} />

      <h4 className="profile-group">Transcripts</h4>
      {generated('record')}
      {generated('recordInput', [], 'recordInput')}
      {generated('recordMaxMiB')}
      {generated('keepDays')}
      {generated('keepMiB')}

      <h4 className="profile-group">Typing</h4>
      {generated('escapeCharacter')}

      <h4 className="profile-group">In the settings file</h4>
      <IdField
        id={profile.id}
        description={profile.engine === 'smolvm' ? TOKEN_GOES : undefined}
        onChange={onIdChange}
      />
    </div>
  );
}

/** What lets more in or out than the standard, before everything else: it is far apart in the fields below. */
function DangerList({ dangers }: { readonly dangers: readonly Danger[] }) {
  if (dangers.length === 0) return null;
  return (
    <section className="danger-list" aria-label="What this profile lets through">
      <TriangleAlert className="danger-icon" size={15} aria-hidden="true" />
      <ul>
        {dangers.map(({ field, title, words }) => (
          <li key={field}>
            <strong>{capitalised(title)}.</strong> {words}
          </li>
        ))}
      </ul>
    </section>
  );
}

function DangerWords({ danger }: { readonly danger: Danger | undefined }) {
  if (danger === undefined) return null;
  return <p className="profile-consequence profile-dangerous">{danger.words}</p>;
}

interface CommandFieldProps {
  readonly engine: EngineKind;
  readonly command: readonly string[];
  /** A program that the engine has in any case. */
  readonly standard: readonly string[];
  readonly onChange: (command: string[]) => void;
}

function CommandField({ engine, command, standard, onChange }: CommandFieldProps) {
  const check = (line: string) => {
    const argv = parseArgv(line);
    if (argv === null) return 'Program has a quote that is not closed.';
    const parsed = profileSchema.shape.command.safeParse(argv);
    return parsed.success ? null : `Program ${parsed.error.issues[0]?.message ?? 'is not usable'}.`;
  };
  const line = formatArgv(command);
  const reset = { to: formatArgv(standard), onReset: () => onChange([...standard]) };
  return (
    <FieldRow title="Program" reset={line === reset.to ? undefined : reset}>
      <TextControl
        label="Program"
        description={commandWords(engine)}
        kind="literal"
        value={line}
        check={check}
        onCommit={(text) => onChange(parseArgv(text) ?? [...command])}
      />
    </FieldRow>
  );
}

function inWords(field: SettingField, description: string | undefined): SettingField {
  return description === undefined ? field : { ...field, description };
}

function known(key: string): SettingField {
  const field = FIELDS.get(key);
  if (field === undefined) throw new Error(`The profile schema has no simple field ${key}`);
  return field;
}

import type { ReactNode } from 'react';
import type { z } from 'zod';
import {
  attachSettingsSchema,
  containerSettingsSchema,
  microvmSettingsSchema,
  smolvmSettingsSchema,
} from '../../shared/settings/engine-settings.ts';
import type { Profile } from '../../shared/settings/schema.ts';
import type { EngineKind } from '../../shared/terminal/engine-status.ts';
import { fieldsOf, type SettingField } from '../settings/fields.ts';
import { GeneratedField } from '../settings/GeneratedField.tsx';
import { ContainerField } from './ContainerField.tsx';
import type { DangerField } from './dangers.ts';
import { ImageField } from './ImageField.tsx';
import { MachineField } from './MachineField.tsx';
import type { ProfileEdit } from './profile-edits.ts';
import { SmolvmToken } from './SmolvmToken.tsx';

type SectionKind = Exclude<EngineKind, 'bubblewrap'>;

const SCHEMAS: Readonly<Record<SectionKind, z.ZodObject>> = {
  container: containerSettingsSchema,
  attach: attachSettingsSchema,
  smolvm: smolvmSettingsSchema,
  microvm: microvmSettingsSchema,
};

/** What a person looks for first stands first; the rest is in the order of the schema. */
const FIRST: Readonly<Record<SectionKind, readonly string[]>> = {
  container: ['image', 'runtime'],
  attach: ['container'],
  smolvm: ['address', 'machine', 'startMachine'],
  microvm: [],
};

const FIELDS: Readonly<Record<SectionKind, readonly SettingField[]>> = {
  container: fieldsOfSection('container'),
  attach: fieldsOfSection('attach'),
  smolvm: fieldsOfSection('smolvm'),
  microvm: fieldsOfSection('microvm'),
};

/** Fields with an address or a path. */
const PLACES: ReadonlySet<string> = new Set([
  ...['endpoint', 'certificates', 'address', 'kernel', 'initramfs'],
  ...['certificateAuthority', 'clientCertificate', 'clientKey'],
]);

interface EngineSectionProps {
  readonly profile: Profile;
  readonly onChange: (edit: ProfileEdit) => void;
  /** Something that the engine works with has changed, though the profile has not. */
  readonly onSurroundings: () => void;
  readonly danger: (field: DangerField) => ReactNode;
}

/** What the profile says to its engine alone: where it is, and what it takes from there. */
export function EngineSection({ profile, onChange, onSurroundings, danger }: EngineSectionProps) {
  const { engine } = profile;
  if (engine === 'bubblewrap') return null;
  const values = sectionOf(profile, engine);
  const set = (key: string, value: unknown) => onChange(sectionEdit(engine, key, value));
  return FIELDS[engine]
    .filter(({ control }) => control.kind !== 'number')
    .map((field) => {
      const { key } = field;
      if (engine === 'container' && key === 'image')
        return (
          <ImageField
            key={key}
            field={field}
            profileId={profile.id}
            settings={containerSettingsSchema.parse(values)}
            onChange={(image) => set(key, image)}
          />
        );
      if (engine === 'attach' && key === 'container')
        return (
          <ContainerField
            key={key}
            field={field}
            settings={attachSettingsSchema.parse(values)}
            below={danger('container')}
            onChange={(container) => set(key, container)}
          />
        );
      if (engine === 'smolvm' && key === 'machine')
        return (
          <MachineField
            key={key}
            field={field}
            profile={profile}
            onChange={(machine) => set(key, machine)}
            onServerChange={onSurroundings}
          />
        );
      const plain = (
        <GeneratedField
          key={key}
          field={field}
          value={values[key]}
          kind={PLACES.has(key) ? 'place' : 'literal'}
          below={key === 'endpoint' || key === 'address' ? danger('endpoint') : startDanger(key, danger)}
          onChange={(value) => set(key, value)}
        />
      );
      if (engine !== 'smolvm' || key !== 'address' || values['address'] === '') return plain;
      const address = String(values['address']);
      return [
        plain,
        <SmolvmToken key="token" profile={profile} address={address} onChange={onSurroundings} />,
      ];
    });
}

/** The bounds that an engine has of its own. */
export function EngineBounds({ profile, onChange }: Pick<EngineSectionProps, 'profile' | 'onChange'>) {
  const { engine } = profile;
  if (engine === 'bubblewrap') return null;
  const values = sectionOf(profile, engine);
  return FIELDS[engine]
    .filter(({ control }) => control.kind === 'number')
    .map((field) => (
      <GeneratedField
        key={field.key}
        field={field}
        value={values[field.key]}
        onChange={(value) => onChange(sectionEdit(engine, field.key, value))}
      />
    ));
}

function startDanger(key: string, danger: EngineSectionProps['danger']): ReactNode {
  return key === 'startMachine' ? danger('startMachine') : undefined;
}

function sectionEdit(engine: SectionKind, key: string, value: unknown): ProfileEdit {
  return (profile) => ({ [engine]: { ...sectionOf(profile, engine), [key]: value } });
}

function sectionOf(profile: Profile, engine: SectionKind): Readonly<Record<string, unknown>> {
  return SCHEMAS[engine].parse(profile[engine] ?? {});
}

function fieldsOfSection(kind: SectionKind): SettingField[] {
  const first = FIRST[kind];
  const place = ({ key }: SettingField) => (first.includes(key) ? first.indexOf(key) : first.length);
  return fieldsOf(SCHEMAS[kind]).toSorted((a, b) => place(a) - place(b));
}

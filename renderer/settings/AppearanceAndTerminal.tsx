import type { z } from 'zod';
import {
  appearanceSchema,
  type Settings,
  terminalSettingsSchema,
  transcriptSettingsSchema,
} from '../../shared/settings/schema.ts';
import { useServices } from '../app/services.ts';
import { useSettings } from '../state/settings-store.ts';
import { fieldsOf, type SettingField } from './fields.ts';
import { GeneratedField } from './GeneratedField.tsx';

/** The parts of the settings whose page is made from their schema alone. */
export type GeneratedPart = 'appearance' | 'terminal' | 'transcripts';

const SCHEMAS: Record<GeneratedPart, z.ZodObject> = {
  appearance: appearanceSchema,
  terminal: terminalSettingsSchema,
  transcripts: transcriptSettingsSchema,
};

export const GENERATED_FIELDS: Record<GeneratedPart, readonly SettingField[]> = {
  appearance: fieldsOf(SCHEMAS.appearance),
  terminal: fieldsOf(SCHEMAS.terminal),
  transcripts: fieldsOf(SCHEMAS.transcripts),
};

export const PART_TITLES: Record<GeneratedPart, string> = {
  appearance: 'Appearance',
  terminal: 'Terminal',
  transcripts: 'Transcripts',
};

interface GeneratedSectionProps {
  readonly part: GeneratedPart;
  readonly fields?: readonly SettingField[];
}

/** One part of the settings: its fields in the order of the schema. */
export function GeneratedSection({ part, fields = GENERATED_FIELDS[part] }: GeneratedSectionProps) {
  const { settings: service } = useServices();
  const values = useSettings((state) => state.settings[part]) as Record<string, unknown>;
  const change = (key: string, value: unknown) =>
    service.change((settings) => ({ ...settings, [part]: { ...settings[part], [key]: value } }) as Settings);
  return (
    <section aria-labelledby={`${part}-title`}>
      <h2 id={`${part}-title`} className="section-title">
        {PART_TITLES[part]}
      </h2>
      {fields.map((field) => (
        <GeneratedField
          key={field.key}
          field={field}
          value={values[field.key]}
          onChange={(value) => void change(field.key, value)}
        />
      ))}
    </section>
  );
}

import type { z } from 'zod';
import {
  attachSettingsSchema,
  containerSettingsSchema,
  microvmSettingsSchema,
  smolvmSettingsSchema,
} from './engine-settings.ts';
import { type Profile, profileSchema, sandboxLimitsSchema } from './schema.ts';

const SECTIONS = {
  container: containerSettingsSchema,
  attach: attachSettingsSchema,
  smolvm: smolvmSettingsSchema,
  microvm: microvmSettingsSchema,
  limits: sandboxLimitsSchema,
} as const;

type Section = keyof typeof SECTIONS;

/** A field by its place in a profile: "network", "smolvm.address". */
export type FieldPath =
  | Exclude<keyof Profile, Section>
  | { [Name in Section]: `${Name}.${keyof z.infer<(typeof SECTIONS)[Name]> & string}` }[Section];

/**
 * A field of a profile for a sentence, as its editor calls it and as the settings file does: "Image (container.image)". One name
 * where both are the same: "Network".
 */
export function fieldName(path: FieldPath): string {
  const title = titleOf(path);
  return title.toLowerCase() === path ? title : `${title} (${path})`;
}

function titleOf(path: FieldPath): string {
  const [first = '', second] = path.split('.');
  const shape: Readonly<Record<string, z.ZodType>> =
    second === undefined ? profileSchema.shape : SECTIONS[first as Section].shape;
  return shape[second ?? first]?.meta()?.title ?? path;
}

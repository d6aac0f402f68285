import { z } from 'zod';
import { settingsSchema } from '../../shared/settings/schema.ts';

/** Lies beside settings.json, which names it in `$schema`, so that editors complete and check. */
export const SCHEMA_FILE_NAME = 'settings.schema.json';

/** The JSON schema of settings.json for editors, made from the schema that validates it. */
export function settingsJsonSchema(): string {
  const schema = z.toJSONSchema(settingsSchema, { io: 'input' });
  const properties = { $schema: { type: 'string' }, ...schema.properties };
  return `${JSON.stringify({ ...schema, title: 'Airlock settings', properties }, null, 2)}\n`;
}

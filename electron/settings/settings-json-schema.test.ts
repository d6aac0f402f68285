import { expect, it } from 'vitest';
import { settingsJsonSchema } from './settings-json-schema.ts';

/** After a change of the schema: `vitest run electron/settings/settings-json-schema --update`. */
it('resources/settings.schema.json is up to date', async () => {
  await expect(settingsJsonSchema()).toMatchFileSnapshot('../../resources/settings.schema.json');
});

it('bounds, titles and the $schema field are in it', () => {
  const schema = JSON.parse(settingsJsonSchema());
  expect(schema.properties.$schema).toEqual({ type: 'string' });
  expect(schema.additionalProperties).toBe(false);
  expect(schema.properties.terminal.properties.scrollback).toMatchObject({
    type: 'integer',
    maximum: 200_000,
    title: 'Scrollback',
  });
});

import { beforeEach, expect, it, vi } from 'vitest';
import type { Params } from '../../shared/protocol/requests.ts';
import { fail, ok } from '../../shared/result.ts';
import { smolvmSettingsSchema } from '../../shared/settings/engine-settings.ts';
import { type Settings, settingsSchema } from '../../shared/settings/schema.ts';
import type { Client } from '../connection/client.ts';
import { editProfile, type ProfileEdit } from '../profiles/profile-edits.ts';
import { showSettings, useSettings } from '../state/settings-store.ts';
import { SettingsService } from './settings-service.ts';

beforeEach(() => useSettings.setState({ settings: settingsSchema.parse({}) }));

/** A host that keeps settings when the test lets it. */
function slowHost() {
  const waiting: (() => void)[] = [];
  const kept: Settings[] = [];
  const request = (_verb: string, { settings }: Params<'settings.replace'>) =>
    new Promise((resolve) => {
      waiting.push(() => {
        kept.push(settings);
        resolve(ok({ settings, problems: [] }));
      });
    });
  const client = { request, onEvent: () => {} } as unknown as Client;
  const keepNext = async () => {
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    waiting.pop()?.();
  };
  return { client, kept, keepNext };
}

it('fields of one section that are changed faster than the host keeps them do not undo each other', async () => {
  const { client, kept, keepNext } = slowHost();
  const service = new SettingsService(client);
  const edit = (change: ProfileEdit) => service.change((settings) => editProfile(settings, 'shell', change));
  const edits = [
    edit(() => ({ engine: 'smolvm' })),
    edit(({ smolvm }) => ({
      smolvm: smolvmSettingsSchema.parse({ ...smolvm, address: 'http://127.0.0.1:1' }),
    })),
    edit(({ smolvm }) => ({ smolvm: smolvmSettingsSchema.parse({ ...smolvm, machine: 'dev' }) })),
  ];
  for (const _ of edits) await keepNext();
  expect(await Promise.all(edits)).toEqual([true, true, true]);
  expect(kept.at(-1)?.profiles).toMatchObject([
    { engine: 'smolvm', smolvm: { address: 'http://127.0.0.1:1', machine: 'dev' } },
  ]);
});

it('a change that is refused gives way to the settings of the host, also to those that came meanwhile', async () => {
  const before = useSettings.getState().settings;
  const others = settingsSchema.parse({ appearance: { fontSize: 20 } });
  let told: Settings | null = null;
  const request = async () => {
    if (told !== null) showSettings({ settings: told, problems: [] });
    return fail({ code: 'bad-request', message: 'It was refused.' });
  };
  const service = new SettingsService({ request, onEvent: () => {} } as unknown as Client);
  const grow = (settings: Settings) => ({
    ...settings,
    appearance: { ...settings.appearance, fontSize: 30 },
  });
  expect(await service.change(grow)).toBe(false);
  expect(useSettings.getState()).toMatchObject({ settings: before, saveError: 'It was refused.' });
  told = others;
  expect(await service.change(grow)).toBe(false);
  expect(useSettings.getState().settings).toBe(others);
});

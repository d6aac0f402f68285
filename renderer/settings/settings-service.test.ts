import { beforeEach, expect, it } from 'vitest';
import type { HostEvent } from '../../shared/protocol/events.ts';
import type { Params } from '../../shared/protocol/requests.ts';
import { fail, ok } from '../../shared/result.ts';
import { smolvmSettingsSchema } from '../../shared/settings/engine-settings.ts';
import { type Settings, settingsSchema } from '../../shared/settings/schema.ts';
import type { Client } from '../connection/client.ts';
import { editProfile, type ProfileEdit } from '../profiles/profile-edits.ts';
import { useSettings } from '../state/settings-store.ts';
import { SettingsService } from './settings-service.ts';

beforeEach(() => useSettings.setState(useSettings.getInitialState(), true));

/** A host that answers the oldest change when the test lets it, and tells of what it keeps before it answers, as hosts do. */
function slowHost() {
  const asked: { readonly settings: Settings; readonly answer: (answer: unknown) => void }[] = [];
  let tell = (_event: HostEvent): void => {};
  const client = {
    request: (_verb: string, { settings }: Params<'settings.replace'>) =>
      new Promise((answer) => asked.push({ settings, answer })),
    onEvent: (listener: (event: HostEvent) => void) => {
      tell = listener;
    },
  } as unknown as Client;
  const next = () => asked.shift() ?? expect.fail('Nothing was asked.');
  return {
    service: new SettingsService(client),
    sent: () => asked.map(({ settings }) => settings),
    tells: (settings: Settings) =>
      tell({ event: 'settings.changed', snapshot: { settings, problems: [] } } as HostEvent),
    keeps() {
      const { settings, answer } = next();
      this.tells(settings);
      answer(ok({ settings, problems: [] }));
    },
    refuses: () => next().answer(fail({ tag: 'settings-not-saved', message: 'It was refused.' })),
  };
}

const shown = () => useSettings.getState();
const sized = (fontSize: number) => (settings: Settings) => ({
  ...settings,
  appearance: { ...settings.appearance, fontSize },
});

it('fields that are changed faster than the host keeps them are shown and sent at once, and do not undo each other', async () => {
  const host = slowHost();
  const edit = (change: ProfileEdit) =>
    host.service.change((settings) => editProfile(settings, 'shell', change));
  const edits = [
    edit(() => ({ engine: 'smolvm' })),
    edit(({ smolvm }) => ({
      smolvm: smolvmSettingsSchema.parse({ ...smolvm, address: 'http://127.0.0.1:1' }),
    })),
    edit(({ smolvm }) => ({ smolvm: smolvmSettingsSchema.parse({ ...smolvm, machine: 'dev' }) })),
  ];
  const all = [{ engine: 'smolvm', smolvm: { address: 'http://127.0.0.1:1', machine: 'dev' } }];
  expect(shown().settings.profiles).toMatchObject(all);
  expect(host.sent().map(({ profiles }) => profiles[0])).toMatchObject([
    { engine: 'smolvm' },
    { smolvm: { address: 'http://127.0.0.1:1', machine: '' } },
    { smolvm: { machine: 'dev' } },
  ]);
  for (const _ of edits) {
    host.keeps();
    expect(shown().settings.profiles).toMatchObject(all);
  }
  expect(await Promise.all(edits)).toEqual([true, true, true]);
  expect(shown()).toMatchObject({ settings: { profiles: all }, saveError: null });
});

it('what the host tells while a change is on its way is shown only when it has answered', async () => {
  const host = slowHost();
  const grown = host.service.change(sized(30));
  host.tells(sized(20)(settingsSchema.parse({})));
  expect(shown().settings.appearance.fontSize).toBe(30);
  host.keeps();
  expect(await grown).toBe(true);
  host.tells(sized(20)(shown().settings));
  expect(shown().settings.appearance.fontSize).toBe(20);
});

it('a change that is refused gives way to the settings of the host, also to those that came meanwhile', async () => {
  const host = slowHost();
  const before = shown().settings;
  const first = host.service.change(sized(30));
  host.refuses();
  expect(await first).toBe(false);
  expect(shown()).toMatchObject({ settings: before, saveError: 'It was refused.' });
  const second = host.service.change(sized(30));
  expect(shown().saveError).toBeNull();
  host.tells(sized(20)(before));
  host.refuses();
  expect(await second).toBe(false);
  expect(shown().settings.appearance.fontSize).toBe(20);
});

it('a later change that was kept has kept a refused one too: nothing is said to be lost', async () => {
  const host = slowHost();
  const changes = [
    host.service.change(sized(30)),
    host.service.change((settings) => ({ ...settings, terminal: { ...settings.terminal, scrollback: 7 } })),
  ];
  host.refuses();
  host.keeps();
  await Promise.all(changes);
  expect(shown()).toMatchObject({
    settings: { appearance: { fontSize: 30 }, terminal: { scrollback: 7 } },
    saveError: null,
  });
});

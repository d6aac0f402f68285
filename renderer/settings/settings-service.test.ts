import { beforeEach, expect, it } from 'vitest';
import type { HostEvent } from '../../shared/protocol/events.ts';
import type { Params } from '../../shared/protocol/requests.ts';
import { fail, ok } from '../../shared/result.ts';
import { smolvmSettingsSchema } from '../../shared/settings/engine-settings.ts';
import { type Settings, type SettingsProblem, settingsSchema } from '../../shared/settings/schema.ts';
import type { Client } from '../connection/client.ts';
import { editProfile, type ProfileEdit } from '../profiles/profile-edits.ts';
import { useSettings } from '../state/settings-store.ts';
import { SettingsService } from './settings-service.ts';

beforeEach(() => useSettings.setState(useSettings.getInitialState(), true));

const SOME_REVISION = '00000000-0000-4000-8000-000000000000';

/** A host that answers the oldest change when the test lets it, and tells of what it keeps before it answers, as hosts do. */
function slowHost() {
  const asked: { readonly params: Params<'settings.replace'>; readonly answer: (answer: unknown) => void }[] =
    [];
  let tell = (_event: HostEvent): void => {};
  let revision: string = SOME_REVISION;
  const client = {
    request: (_verb: string, params: Params<'settings.replace'>) =>
      new Promise((answer) => asked.push({ params, answer })),
    onEvent: (listener: (event: HostEvent) => void) => {
      tell = listener;
    },
  } as unknown as Client;
  const host = {
    service: new SettingsService(client),
    sent: () => asked.map(({ params }) => params.settings),
    /** Somebody else has changed them. */
    tells(settings: Settings, problems: SettingsProblem[] = [], as: string = crypto.randomUUID()) {
      revision = as;
      tell({ event: 'settings.changed', snapshot: { settings, problems, revision } });
    },
    keeps() {
      const { params, answer } = next();
      if (params.from !== revision) return answer(fail({ tag: 'settings-changed', message: 'Look again.' }));
      host.tells(params.settings, [], params.revision);
      return answer(ok({ settings: params.settings, problems: [], revision }));
    },
    refuses: () => next().answer(fail({ tag: 'settings-not-saved', message: 'It was refused.' })),
  };
  const next = () => asked.shift() ?? expect.fail('Nothing was asked.');
  host.tells(shown().settings);
  return host;
}

const shown = () => useSettings.getState();
const scrolled = (scrollback: number) => (settings: Settings) => ({
  ...settings,
  terminal: { ...settings.terminal, scrollback },
});
/** What follows on an answer has happened. */
const answered = async (answer: () => void) => {
  answer();
  await new Promise(setImmediate);
};
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
  host.refuses();
  expect(await grown).toBe(false);
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

it('changes of settings that somebody else has changed meanwhile are made again, in their order, in the new ones', async () => {
  const host = slowHost();
  const more = (settings: Settings) => sized(settings.appearance.fontSize + 1)(settings);
  const changes = [host.service.change(more), host.service.change(more), host.service.change(scrolled(7))];
  host.tells({ ...sized(20)(shown().settings), keys: { 'tab.new': 'Ctrl+T' } });
  for (const _ of changes) await answered(() => host.keeps());
  for (const _ of changes) await answered(() => host.keeps());
  expect(await Promise.all(changes)).toEqual([true, true, true]);
  expect(shown()).toMatchObject({
    settings: {
      appearance: { fontSize: 22 },
      terminal: { scrollback: 7 },
      keys: { 'tab.new': 'Ctrl+T' },
    },
    saveError: null,
  });
});

it('a change is not made in the defaults that stand in for a file which has problems meanwhile', async () => {
  const host = slowHost();
  const grown = host.service.change(sized(30));
  const problems = [{ field: 'terminal.scrollback', message: 'must be at least 0, is -7' }];
  host.tells(settingsSchema.parse({}), problems);
  host.keeps();
  expect(await grown).toBe(false);
  expect(shown()).toMatchObject({ settings: settingsSchema.parse({}), problems, saveError: 'Look again.' });
});

it('a change that was refused is not brought along by a later one, and that it is lost is still said', async () => {
  const host = slowHost();
  const changes = [host.service.change(sized(30)), host.service.change(scrolled(7))];
  const before = settingsSchema.parse({}).appearance;
  await answered(() => host.refuses());
  await answered(() => host.keeps());
  await answered(() => host.keeps());
  expect(await Promise.all(changes)).toEqual([false, true]);
  expect(shown()).toMatchObject({
    settings: { appearance: before, terminal: { scrollback: 7 } },
    saveError: 'It was refused.',
  });
});

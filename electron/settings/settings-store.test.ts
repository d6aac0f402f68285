import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_PROFILE } from '../../shared/settings/schema.ts';
import { eventually } from '../connection/testing/eventually.ts';
import { defaultSettings } from './settings-document.ts';
import { openConfFile } from './settings-file.ts';
import { SettingsStore } from './settings-store.ts';
import { replaceSettings } from './testing/replace-settings.ts';

let folder: string;
let path: string;
const stores: SettingsStore[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airlock-settings-'));
  path = join(folder, 'settings.json');
});

afterEach(() => {
  for (const store of stores.splice(0)) store.dispose();
  rmSync(folder, { recursive: true });
});

function openStore(): SettingsStore {
  const store = new SettingsStore(folder, openConfFile);
  stores.push(store);
  return store;
}

const changed = { ...defaultSettings(), keys: { 'tab.new': 'Ctrl+T' } };
const revision = expect.any(String);
const badFiles = () => readdirSync(folder).filter((name) => name.includes('bad'));

describe('the settings store', () => {
  it('reads and writes nothing but regular files: a pipe or a device would stop the host', () => {
    symlinkSync('/dev/null', path);
    const store = openStore();
    expect(store.snapshot().problems[0]?.message).toContain('not a regular file');
    expect(replaceSettings(store, changed)).toMatchObject({
      ok: false,
      error: { tag: 'settings-not-saved' },
    });
  });

  it('does not read a file that is far too long', () => {
    writeFileSync(path, '');
    truncateSync(path, 2 ** 32);
    expect(openStore().snapshot().problems[0]?.message).toMatch(/at most 524288 bytes, has 4294967296$/);
  });

  it('starts with the defaults and writes no settings file of its own accord', () => {
    expect(openStore().snapshot()).toEqual({ settings: defaultSettings(), problems: [], revision });
    expect(readdirSync(folder)).toEqual(['settings.schema.json']);
  });

  it('saves for its owner alone, names the schema, and reads it in the next start', () => {
    const saved = replaceSettings(openStore(), changed);
    expect(saved).toEqual({ ok: true, value: { settings: changed, problems: [], revision } });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { $schema } = JSON.parse(readFileSync(path, 'utf8'));
    expect(readdirSync(folder).sort()).toEqual(['settings.json', $schema.replace('./', '')]);
    expect(openStore().snapshot().settings).toEqual(changed);
  });

  it('tells its listeners of its own and of outside changes', async () => {
    const store = openStore();
    const seen = vi.fn();
    store.onChange(seen);
    replaceSettings(store, changed);
    expect(seen.mock.lastCall).toEqual([{ settings: changed, problems: [], revision }]);
    writeFileSync(path, '{ "terminal": { "scrollback": 7 } }');
    await eventually(() => expect(seen.mock.lastCall?.[0].settings.terminal.scrollback).toBe(7));
    writeFileSync(path, '{ "terminal": { "scrollback": -7 } }');
    await eventually(() =>
      expect(seen.mock.lastCall).toEqual([
        {
          settings: defaultSettings(),
          problems: [{ field: 'terminal.scrollback', message: 'must be at least 0, is -7' }],
          revision,
        },
      ]),
    );
  });

  it('hears of a change by another store of the same folder', async () => {
    const seen = vi.fn();
    openStore().onChange(seen);
    replaceSettings(openStore(), changed);
    await eventually(() => expect(seen).toHaveBeenCalledWith({ settings: changed, problems: [], revision }));
  });

  it('keeps a bad file untouched until it is replaced, and then keeps a copy of each', () => {
    writeFileSync(path, '{ broken');
    const store = openStore();
    expect(store.snapshot()).toMatchObject({
      settings: defaultSettings(),
      problems: [{ field: '', message: expect.stringContaining('line 1, column 3') }],
    });
    expect(readFileSync(path, 'utf8')).toBe('{ broken');

    expect(replaceSettings(store, changed)).toMatchObject({ ok: true, value: { problems: [] } });
    expect(readFileSync(join(folder, 'settings.bad-1.json'), 'utf8')).toBe('{ broken');
    expect(statSync(join(folder, 'settings.bad-1.json')).mode & 0o777).toBe(0o600);

    writeFileSync(path, '{ "version": 99 }');
    expect(replaceSettings(store, defaultSettings()).ok).toBe(true);
    expect(readFileSync(join(folder, 'settings.bad-2.json'), 'utf8')).toBe('{ "version": 99 }');

    expect(replaceSettings(store, changed).ok).toBe(true);
    expect(badFiles()).toHaveLength(2);
  });

  it('says why it cannot read or save, and recovers when it can', () => {
    mkdirSync(path);
    const store = openStore();
    expect(store.snapshot().problems).toEqual([
      { field: '', message: expect.stringContaining('not a regular file') },
    ]);
    expect(replaceSettings(store, changed)).toMatchObject({
      ok: false,
      error: { tag: 'settings-not-saved', message: expect.stringContaining('not a regular file') },
    });
    rmSync(path, { recursive: true });
    expect(replaceSettings(store, changed)).toMatchObject({ ok: true });
  });

  it('the settings are those of the file only while there is one without problems', () => {
    const store = openStore();
    expect(store.areOfFile).toBe(false);
    replaceSettings(store, changed);
    expect(store.areOfFile).toBe(true);
    rmSync(path);
    expect(store.refresh()).toEqual({ settings: defaultSettings(), problems: [], revision });
    expect(store.areOfFile).toBe(false);
    writeFileSync(path, '{ broken');
    store.refresh();
    expect(store.areOfFile).toBe(false);
  });

  it('a link to a file that is not there cannot be read, and is not written over', () => {
    symlinkSync(join(folder, 'elsewhere.json'), path);
    const store = openStore();
    const message = expect.stringContaining('it is a link to a file that is not there');
    expect(store.snapshot().problems).toEqual([{ field: '', message }]);
    expect(replaceSettings(store, changed)).toMatchObject({
      ok: false,
      error: { tag: 'settings-not-saved', message },
    });
    expect(readdirSync(folder).sort()).toEqual(['settings.json', 'settings.schema.json']);
  });

  it('refuses what would not fit the file', () => {
    const value = 'x'.repeat(4096);
    const environment = Object.fromEntries(Array.from({ length: 128 }, (_, n) => [`V${n}`, value]));
    const profiles = [{ ...DEFAULT_PROFILE, environment }];
    expect(replaceSettings(openStore(), { ...defaultSettings(), profiles })).toMatchObject({
      ok: false,
      error: { tag: 'settings-not-saved', message: expect.stringContaining('at most 524288 bytes') },
    });
  });

  it('reads again behind a symbolic link, where watching sees nothing, and does not write over what it finds', () => {
    const target = join(folder, 'elsewhere.json');
    writeFileSync(target, '{}');
    symlinkSync(target, path);
    const store = openStore();
    const { revision: from } = store.snapshot();
    const seen = vi.fn();
    store.onChange(seen);
    writeFileSync(target, '{ "keys": { "tab.new": "Ctrl+T" } }');
    const settings = { ...defaultSettings(), keys: { 'tab.close': 'Ctrl+W' } };
    const refused = store.replace({ settings, from, revision: randomUUID() });
    expect(refused).toMatchObject({ ok: false, error: { tag: 'settings-changed' } });
    expect(readFileSync(target, 'utf8')).toBe('{ "keys": { "tab.new": "Ctrl+T" } }');
    expect(seen.mock.calls).toMatchObject([[{ settings: { keys: { 'tab.new': 'Ctrl+T' } } }]]);
    writeFileSync(target, '{ "keys": { "tab.new": "Ctrl+N" } }');
    expect(store.refresh().settings.keys).toEqual({ 'tab.new': 'Ctrl+N' });
  });

  it('a change that is made from one which was sent just before it is kept; one that is made from neither is not', () => {
    const store = openStore();
    const [first, second] = [randomUUID(), randomUUID()];
    const sized = (fontSize: number) => ({
      ...changed,
      appearance: { ...changed.appearance, fontSize },
    });
    const { revision: from } = store.snapshot();
    expect(store.replace({ settings: sized(15), from, revision: first }).ok).toBe(true);
    expect(store.replace({ settings: sized(16), from: first, revision: second }).ok).toBe(true);
    // Of another client, which has not heard of it yet.
    expect(store.replace({ settings: sized(17), from, revision: randomUUID() }).ok).toBe(false);
    expect(store.snapshot()).toEqual({ settings: sized(16), problems: [], revision: second });
  });
});

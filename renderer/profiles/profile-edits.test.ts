import { expect, it } from 'vitest';
import { sandboxProfiles, settingsSchema } from '../../shared/settings/schema.ts';
import { addProfile, addSymbiontProfile, changeProfile, removeProfile } from './profile-edits.ts';
import { profileFacts } from './profile-words.ts';

const settings = settingsSchema.parse({});

it('adds profiles with ids and names of their own', () => {
  const first = addProfile(settings);
  const second = addProfile(first.settings);
  const copy = addProfile(second.settings, settings.profiles[0]);
  expect([first.id, second.id, copy.id]).toEqual(['new-profile', 'new-profile-2', 'shell-copy']);
  expect(settingsSchema.safeParse(copy.settings).success).toBe(true);
});

it('makes a usable id of any name', () => {
  const odd = { ...settings.profiles[0], name: '—日本—' } as (typeof settings.profiles)[number];
  expect(addProfile(settings, odd).id).toBe('copy');
});

it('keeps the default profile in step with a new id', () => {
  const changed = changeProfile(settings, 'shell', { id: 'work', network: 'host' });
  expect(changed).toMatchObject({ defaultProfile: 'work', profiles: [{ id: 'work', network: 'host' }] });
});

it('moves the default when its profile goes, and keeps the last profile', () => {
  const two = addProfile(settings).settings;
  expect(removeProfile(two, 'shell')).toMatchObject({ defaultProfile: 'new-profile' });
  expect(removeProfile(settings, 'shell')).toBe(settings);
});

it('adds a Symbiont runtime, which never becomes the default and never is the last profile', () => {
  const { settings: both, id } = addSymbiontProfile(settings);
  expect(both.profiles.at(-1)).toEqual({
    kind: 'symbiont',
    id: 'symbiont',
    name: 'Symbiont',
    address: 'http://127.0.0.1:8080',
  });
  expect(settingsSchema.parse(both)).toEqual(both);
  expect(removeProfile(both, 'shell')).toBe(both);
  const three = addProfile(both).settings;
  expect(removeProfile(three, 'shell').defaultProfile).toBe('new-profile');
  expect(removeProfile(both, id)).toEqual(settings);
  expect(addProfile(both, both.profiles[1]).id).toBe('symbiont-copy');
});

it('says what a profile lets through, the dangerous first', () => {
  const [profile] = sandboxProfiles(settings);
  if (profile === undefined) throw new Error('no profile');
  const open = { ...profile, network: 'host', scratch: '/home/me/out', project: '/home/me/api' } as const;
  expect(profileFacts(open).slice(0, 3)).toMatchObject([
    { text: 'network on', tone: 'attention' },
    { text: 'scratch writable', tone: 'attention' },
    { text: 'project read-only', tone: 'plain' },
  ]);
});

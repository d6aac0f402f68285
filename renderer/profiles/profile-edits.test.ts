import { expect, it } from 'vitest';
import { settingsSchema } from '../../shared/settings/schema.ts';
import { addProfile, changeProfile, removeProfile } from './profile-edits.ts';
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

it('says what a profile lets through, the dangerous first', () => {
  const [profile] = settings.profiles;
  if (profile === undefined) throw new Error('no profile');
  const open = { ...profile, network: 'host', scratch: '/home/me/out', project: '/home/me/api' } as const;
  expect(profileFacts(open).slice(0, 3)).toMatchObject([
    { text: 'network on', tone: 'attention' },
    { text: 'scratch writable', tone: 'attention' },
    { text: 'project read-only', tone: 'plain' },
  ]);
});

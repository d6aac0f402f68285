import {
  type AnyProfile,
  DEFAULT_PROFILE,
  type Profile,
  type Settings,
  type SymbiontProfile,
  sandboxProfiles,
} from '../../shared/settings/schema.ts';

/** Edits of the list of profiles. Each returns settings whose ids are unique and whose default profile can open a shell. */

interface Added {
  readonly settings: Settings;
  readonly id: string;
}

/** Adds a copy of `from`, or a sandbox profile of standard values, and says which id it got. */
export function addProfile(settings: Settings, from?: AnyProfile): Added {
  const base = from ?? DEFAULT_PROFILE;
  return append(settings, base, from === undefined ? 'New profile' : `${base.name} copy`);
}

/** Adds a Symbiont runtime at the address where `symbi up` listens by itself. */
export function addSymbiontProfile(settings: Settings): Added {
  const base: SymbiontProfile = { kind: 'symbiont', id: '', name: '', address: 'http://127.0.0.1:8080' };
  return append(settings, base, 'Symbiont');
}

/** `change` is of the kind that the profile is of. */
export function changeProfile(
  settings: Settings,
  id: string,
  change: Partial<Omit<Profile, 'kind'> | Omit<SymbiontProfile, 'kind'>>,
): Settings {
  const profiles = settings.profiles.map((profile) =>
    profile.id === id ? { ...profile, ...change } : profile,
  );
  const renamed = settings.defaultProfile === id && change.id !== undefined;
  return { ...settings, profiles, defaultProfile: renamed ? (change.id ?? id) : settings.defaultProfile };
}

/** Of a profile as it is when its turn has come: a page may show an older one. */
export type ProfileEdit = (profile: Profile) => Partial<Omit<Profile, 'kind'>>;

/** Leaves the settings as they are where the sandbox profile is gone. */
export function editProfile(settings: Settings, id: string, edit: ProfileEdit): Settings {
  const profile = sandboxProfiles(settings).find((candidate) => candidate.id === id);
  return profile === undefined ? settings : changeProfile(settings, id, edit(profile));
}

/** The last sandbox profile stays: without one there is nothing to open. */
export function removeProfile(settings: Settings, id: string): Settings {
  const profiles = settings.profiles.filter((profile) => profile.id !== id);
  const [first] = sandboxProfiles({ profiles });
  if (first === undefined) return settings;
  const defaultProfile = settings.defaultProfile === id ? first.id : settings.defaultProfile;
  return { ...settings, profiles, defaultProfile };
}

function append(settings: Settings, base: AnyProfile, wanted: string): Added {
  const name = freeName(wanted, settings);
  const id = freeId(name, settings);
  return { settings: { ...settings, profiles: [...settings.profiles, { ...base, id, name }] }, id };
}

function freeName(wanted: string, settings: Settings): string {
  return firstFree(wanted.slice(0, 55), ' ', (name) =>
    settings.profiles.every((profile) => profile.name !== name),
  );
}

function freeId(name: string, settings: Settings): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return firstFree(slug || 'profile', '-', (id) => settings.profiles.every((profile) => profile.id !== id));
}

function firstFree(wanted: string, separator: string, isFree: (candidate: string) => boolean): string {
  let candidate = wanted;
  for (let n = 2; !isFree(candidate); n += 1) candidate = `${wanted}${separator}${n}`;
  return candidate;
}

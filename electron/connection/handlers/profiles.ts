import { type TaggedError, taggedError } from '../../../shared/protocol/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Profile, sandboxProfiles } from '../../../shared/settings/schema.ts';
import type { HostServices } from '../services.ts';

/** The saved profile that something can be opened with. Fails with profile-unknown, also for one of another kind. */
export function sandboxProfile(
  settings: HostServices['settings'],
  profileId: string,
): Result<Profile, TaggedError> {
  const profile = sandboxProfiles(settings.snapshot().settings).find(({ id }) => id === profileId);
  if (profile !== undefined) return ok(profile);
  return fail(taggedError('profile-unknown', 'There is no such sandbox profile any more; choose another.'));
}

import { ok } from '../../../shared/result.ts';
import type { Profile } from '../../../shared/settings/schema.ts';
import type { Handlers } from '../router.ts';
import type { HostServices } from '../services.ts';

type EngineHandlers = Pick<Handlers, 'engines.list' | 'engines.check' | 'session.try'>;

/** Whether engines can be used, and sessions to try one with. */
export function engineHandlers({ engines }: Pick<HostServices, 'engines'>): EngineHandlers {
  return {
    'engines.list': async ({ refresh }) => ok(await engines.list(refresh)),

    'engines.check': async ({ profile }) => ok(await engines.check(profile)),

    // Whoever may send this may save the profile and open it as well: it gives a page nothing that it could not have.
    async 'session.try'({ profile, size }, sessions) {
      const opened = await sessions.open({ profile: trialOf(profile), size, project: null });
      if (!opened.ok) return opened;
      const { session, channel } = opened.value;
      return ok({ sessionId: session.id, channel, profile: session.profile, posture: session.posture });
    },
  };
}

const NAME_MAX_CHARS = 60;

/** The profile as a throw-away session has it: it leaves no transcript, and its name says what it is. */
function trialOf(profile: Profile): Profile {
  let name = '';
  // A character is not cut in two.
  for (const character of `Try: ${profile.name}`) {
    if (name.length + character.length > NAME_MAX_CHARS) break;
    name += character;
  }
  return { ...profile, name, record: false, recordInput: false };
}

import { isAbsolute } from 'node:path';
import { type TaggedError, taggedError } from '../../../shared/protocol/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Handlers } from '../router.ts';
import type { HostServices } from '../services.ts';
import { sandboxProfile } from './profiles.ts';

type SessionHandlers = Pick<
  Handlers,
  'session.open' | 'session.resize' | 'session.break' | 'session.suspend' | 'session.resume' | 'session.end'
>;

export function sessionHandlers({ settings }: Pick<HostServices, 'settings'>): SessionHandlers {
  return {
    async 'session.open'({ profileId, size, project }, sessions) {
      const profile = sandboxProfile(settings, profileId);
      if (!profile.ok) return profile;
      if (project !== undefined && !isAbsolute(project)) {
        return fail(taggedError('invalid-parameters', 'Not accepted: project must be an absolute path.'));
      }
      const opened = await sessions.open({ profile: profile.value, size, project: project ?? null });
      if (!opened.ok) return opened;
      const { session, channel } = opened.value;
      return ok({ sessionId: session.id, channel, profile: session.profile, posture: session.posture });
    },

    async 'session.resize'({ sessionId, size }, sessions) {
      // A worker keeps its size (E14).
      if (sessions.findGoverned(sessionId).ok) return ok({});
      const session = sessions.find(sessionId);
      return session.ok ? done(await session.value.resize(size)) : session;
    },

    async 'session.break'({ sessionId }, sessions) {
      const session = sessions.find(sessionId);
      return session.ok ? session.value.sendBreak() : session;
    },

    'session.suspend'({ sessionId }, sessions) {
      const session = sessions.find(sessionId);
      return session.ok ? done(session.value.suspend()) : session;
    },

    async 'session.resume'({ sessionId, size }, sessions) {
      const session = sessions.find(sessionId);
      return session.ok ? done(await session.value.resume(size)) : session;
    },

    'session.end'({ sessionId }, sessions) {
      const governed = sessions.findGoverned(sessionId);
      if (governed.ok) {
        governed.value.end('user');
        return ok({});
      }
      const session = sessions.find(sessionId);
      return session.ok ? done(session.value.end('user')) : session;
    },
  };
}

function done(result: Result<void, TaggedError>): Result<Record<string, never>, TaggedError> {
  return result.ok ? ok({}) : result;
}

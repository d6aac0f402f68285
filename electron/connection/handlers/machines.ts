import { ENGINE_ITEMS_MAX } from '../../../shared/protocol/engine-requests.ts';
import { type TaggedError, taggedError } from '../../../shared/protocol/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { smolvmSettingsSchema } from '../../../shared/settings/engine-settings.ts';
import { askingEngine } from '../asking-engine.ts';
import type { Handlers } from '../router.ts';
import type { HostServices } from '../services.ts';
import { beyond } from './containers.ts';
import { sandboxProfile } from './profiles.ts';

type MachineHandlers = Pick<
  Handlers,
  | 'machines.list'
  | 'machines.create'
  | 'machines.start'
  | 'machines.stop'
  | 'machines.delete'
  | 'machines.resolve'
  | 'machines.token'
  | 'machines.set-token'
  | 'machines.forget-token'
>;

/** The machines of smolvm servers, and the tokens for these. A token goes in here and never comes out. */
export function machineHandlers({
  machines,
  smolvmTokens: tokens,
  settings,
}: Pick<HostServices, 'machines' | 'smolvmTokens' | 'settings'>): MachineHandlers {
  return {
    async 'machines.list'(server) {
      const answer = await askingEngine(
        Promise.all([machines.list(server), machines.unresolved(server)] as const),
      );
      if (!answer.ok) return answer;
      const [{ version, machines: all }, unresolved] = answer.value;
      const sorted = all.toSorted((a, b) => a.name.localeCompare(b.name));
      return ok({
        version,
        machines: sorted.slice(0, ENGINE_ITEMS_MAX),
        more: beyond(sorted),
        unresolved: unresolved.slice(0, ENGINE_ITEMS_MAX),
      });
    },

    'machines.create': ({ machine, ...server }) => done(machines.create(server, machine)),
    'machines.start': ({ name, ...server }) => done(machines.start(server, name)),
    'machines.stop': ({ name, ...server }) => done(machines.stop(server, name)),
    'machines.delete': ({ name, ...server }) => done(machines.delete(server, name)),
    'machines.resolve': ({ sessionId, ...server }) => done(machines.resolve(server, sessionId)),

    'machines.token'({ profileId, smolvm: { address } }) {
      if (!URL.canParse(address)) return ok({ kept: false });
      const token = tokens.read(profileId, address);
      return token.ok ? ok({ kept: token.value !== null }) : fail(notKept(token.error));
    },

    'machines.set-token'({ profileId, token }) {
      const profile = sandboxProfile(settings, profileId);
      if (!profile.ok) return profile;
      const { address } = smolvmSettingsSchema.parse(profile.value.smolvm ?? {});
      if (!URL.canParse(address))
        return fail(notKept('The profile has no address that a token could be for.'));
      const kept = tokens.save(profileId, address, token);
      return kept.ok ? ok({}) : fail(notKept(kept.error));
    },

    'machines.forget-token'({ profileId }) {
      const removed = tokens.remove(profileId);
      return removed.ok ? ok({}) : fail(notKept(removed.error));
    },
  };
}

function notKept(words: string): TaggedError {
  return taggedError('token-not-kept', words);
}

async function done(work: Promise<void>): Promise<Result<Record<string, never>, TaggedError>> {
  const answer = await askingEngine(work);
  return answer.ok ? ok({}) : answer;
}

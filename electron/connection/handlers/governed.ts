import { isAbsolute } from 'node:path';
import { type TaggedError, taggedError } from '../../../shared/protocol/errors.ts';
import type { ResultOf } from '../../../shared/protocol/requests.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { GovernedHost } from '../../governed/governed-host.ts';
import type { Handlers } from '../router.ts';
import type { HostServices } from '../services.ts';
import { sandboxProfile } from './profiles.ts';

type GovernedHandlers = Pick<
  Handlers,
  'manifests.list' | 'governed.open' | 'governed.check' | 'governed.run' | 'governed.cancel' | 'policies.show'
>;

/** Governed sessions: manifests, panes, commands, policies. */
export function governedHandlers({
  governed,
  settings,
}: Pick<HostServices, 'governed' | 'settings'>): GovernedHandlers {
  return {
    'manifests.list': ({ project }) =>
      withGoverned(governed, async (host) => ok((await host.library.read(project ?? null)).catalog)),

    'governed.open': ({ profileId, manifestDigest, project }, sessions) =>
      withGoverned(governed, async (host) => {
        const found = sandboxProfile(settings, profileId);
        if (!found.ok) return found;
        const profile = found.value;
        if (project !== undefined && !isAbsolute(project))
          return fail(taggedError('invalid-parameters', 'Not accepted: project must be an absolute path.'));
        const root = project ?? profile.project;
        const manifests = await host.library.read(root);
        const loaded = manifests.catalog.manifests.find(({ digest }) => digest === manifestDigest);
        if (loaded === undefined)
          return fail(
            taggedError('manifest-unknown', 'The manifest was changed or removed. Choose it again.'),
          );
        const opened = await sessions.openGoverned(host, {
          ...{ profile, loaded, root },
          project: manifests.projectOf(loaded),
        });
        if (!opened.ok) return opened;
        const { pane, channel } = opened.value;
        return ok({ sessionId: pane.id, channel, profile, posture: pane.posture, manifest: loaded });
      }),

    'governed.check'({ sessionId, request }, sessions) {
      const pane = sessions.findGoverned(sessionId);
      return pane.ok ? ok(pane.value.check(request)) : pane;
    },

    async 'governed.run'({ sessionId, request }, sessions) {
      const pane = sessions.findGoverned(sessionId);
      if (!pane.ok) return pane;
      const reply = await pane.value.run(request);
      if (reply.ok) return reply;
      return fail(taggedError('governed-refused', reply.error.text, { ...reply.error }));
    },

    'governed.cancel'({ sessionId }, sessions) {
      const pane = sessions.findGoverned(sessionId);
      if (!pane.ok) return pane;
      pane.value.cancel();
      return ok({});
    },

    'policies.show': () => withGoverned(governed, (host) => ok(shownPolicies(host))),
  };
}

/** What needs the audit log is refused with the reason why there is none. */
export async function withGoverned<T>(
  governed: Promise<GovernedHost>,
  use: (host: GovernedHost) => Result<T, TaggedError> | Promise<Result<T, TaggedError>>,
): Promise<Result<T, TaggedError>> {
  const host = await governed.catch((error: Error) => error);
  if (!(host instanceof Error)) return use(host);
  const text = `Governed sessions and publications are not available: ${host.message}`;
  return fail(taggedError('not-available-here', text));
}

function shownPolicies(host: GovernedHost): ResultOf<'policies.show'> {
  const { origin, folder, files, problem } = host.policies.overview;
  const text = files.map(({ name, text }) => (origin === 'user' ? `// ${name}\n${text}` : text)).join('\n');
  return { source: origin, text, folder, problems: problem === null ? [] : [problem] };
}

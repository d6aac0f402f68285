import type { ErrorTag, TaggedError } from '../../../shared/protocol/errors.ts';
import { taggedError } from '../../../shared/protocol/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { SmolvmFailure, SmolvmFailureKind } from '../../sandbox/smolvm/failure.ts';
import type { Handlers } from '../router.ts';
import type { HostServices, Machines } from '../services.ts';
import { sandboxProfile } from './profiles.ts';

type MachineHandlers = Pick<
  Handlers,
  | 'machines.list'
  | 'machines.create'
  | 'machines.start'
  | 'machines.stop'
  | 'machines.delete'
  | 'machines.unresolved'
  | 'machines.resolve'
  | 'machines.token'
  | 'machines.set-token'
  | 'machines.forget-token'
>;

type Answer<T> = Result<T, TaggedError>;
type Empty = Record<string, never>;

/** The machines of smolvm servers, and the tokens for these. A token goes in here and never comes out. */
export function machineHandlers({
  machines,
  settings,
}: Pick<HostServices, 'machines' | 'settings'>): MachineHandlers {
  const having = <T>(use: (machines: Machines) => Answer<T> | Promise<Answer<T>>) =>
    machines === null ? fail(NO_ENGINE) : use(machines);
  /** A change that was begun goes on when its client leaves: given up half-way, nobody would know how it stands. */
  const change = (run: (machines: Machines, signal: AbortSignal) => Promise<Result<void, SmolvmFailure>>) =>
    having<Empty>(async (all) => {
      const done = await run(all, new AbortController().signal);
      return done.ok ? ok({}) : fail(inWords(done.error));
    });
  return {
    'machines.list': ({ profile }, { gone }) =>
      having(async (all) => {
        const listed = await all.list(profile, gone);
        return listed.ok ? ok({ machines: listed.value }) : fail(inWords(listed.error));
      }),

    'machines.create': ({ profile, machine }) =>
      change((all, signal) => all.create(profile, machine, signal)),
    'machines.start': ({ profile, name }) => change((all, signal) => all.start(profile, name, signal)),
    'machines.stop': ({ profile, name }) => change((all, signal) => all.stop(profile, name, signal)),
    'machines.delete': ({ profile, name }) => change((all, signal) => all.delete(profile, name, signal)),

    'machines.unresolved': () =>
      machines === null
        ? ok({ unresolved: [] })
        : having(async (all) => {
            const listed = await all.unresolved();
            return listed.ok ? ok({ unresolved: listed.value }) : fail(inWords(listed.error));
          }),
    'machines.resolve': (place) => change((all) => all.resolve(place)),

    'machines.token': ({ profile }) => having((all) => ok({ kept: all.hasToken(profile) })),

    'machines.set-token': ({ profileId, token }) =>
      having((all) => {
        const profile = sandboxProfile(settings, profileId);
        return profile.ok ? kept(all.saveToken(profile.value, token)) : profile;
      }),

    'machines.forget-token': ({ profileId }) =>
      having((all) => {
        const profile = sandboxProfile(settings, profileId);
        return profile.ok ? kept(all.forgetToken(profile.value)) : profile;
      }),
  };
}

const NO_ENGINE = taggedError('engine-unavailable', 'This host has no smolvm engine.');

const TAGS: Readonly<Record<SmolvmFailureKind, ErrorTag>> = {
  'not-configured': 'profile-invalid',
  unreachable: 'engine-unavailable',
  authentication: 'engine-unavailable',
  unsupported: 'engine-unavailable',
  refused: 'engine-refused',
  'not-running': 'engine-refused',
  blocked: 'engine-refused',
  uncertain: 'machine-uncertain',
};

function inWords({ kind, message }: SmolvmFailure): TaggedError {
  return taggedError(TAGS[kind], message);
}

function kept(result: Result<null, string>): Answer<Empty> {
  return result.ok ? ok({}) : fail(taggedError('token-not-kept', result.error));
}

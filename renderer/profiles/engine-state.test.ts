import { expect, it } from 'vitest';
import { smolvmSettingsSchema } from '../../shared/settings/engine-settings.ts';
import { type Profile, profileSchema } from '../../shared/settings/schema.ts';
import type { EngineKind, EngineStatus } from '../../shared/terminal/engine-status.ts';
import { engineState } from './engine-state.ts';

const profile = (change: Partial<Profile> = {}): Profile =>
  profileSchema.parse({ id: 'p', name: 'P', ...change });
const status = (kind: EngineKind, usable: boolean): EngineStatus => ({
  ...{ kind, usable, name: kind, version: null, summary: '', fixes: [], notes: [] },
});
const smolvm = smolvmSettingsSchema.parse({ address: 'unix:///run/smolvm.sock', machine: 'dev' });

it('an engine that another was chosen instead of keeps its answer, as a former one', () => {
  const answers = { smolvm: status('smolvm', true) };
  const general = status('smolvm', false);
  expect(engineState(profile({ engine: 'smolvm', smolvm }), 'smolvm', { answers, general })).toEqual({
    words: 'ready',
    isReady: true,
  });
  expect(engineState(profile({ smolvm }), 'smolvm', { answers, general })).toEqual({
    words: 'was ready',
    isReady: false,
  });
});

it.each<[string, EngineKind, Profile, EngineStatus | null | undefined, string | undefined]>([
  ['a daemon of this machine', 'container', profile(), status('container', true), 'ready'],
  ['none of this machine', 'container', profile(), status('container', false), 'not ready'],
  ['one on no host', 'microvm', profile(), null, 'not on this host'],
  ['one not known yet', 'microvm', profile(), undefined, undefined],
  ['a server without an address', 'smolvm', profile(), status('smolvm', true), 'needs an address'],
  ['a server with one', 'smolvm', profile({ smolvm }), status('smolvm', false), 'not asked yet'],
])('%s: says what is known', (_, kind, of, general, words) => {
  expect(engineState(of, kind, { answers: {}, general })?.words).toBe(words);
});

import type { Profile } from '../../shared/settings/schema.ts';
import type { EngineKind, EngineStatus } from '../../shared/terminal/engine-status.ts';

/** How an engine stands for a profile, in a few words. */
export interface EngineState {
  readonly words: string;
  readonly isReady: boolean;
}

interface Known {
  /** The last answer of each engine about this profile. */
  readonly answers: Readonly<Partial<Record<EngineKind, EngineStatus>>>;
  /** Of the engine as it is without a profile: null where this host has none, undefined while that is not known. */
  readonly general: EngineStatus | null | undefined;
}

/**
 * What stands at an engine where one is chosen; null while nothing is known. Of the chosen one it is what its check says. One that
 * answered for this profile before keeps that answer, as a former one; and what the engine is elsewhere says nothing about a place
 * that the profile names or has yet to name.
 */
export function engineState(
  profile: Profile,
  kind: EngineKind,
  { answers, general }: Known,
): EngineState | null {
  const answer = answers[kind];
  if (answer !== undefined) {
    const before = profile.engine === kind ? '' : 'was ';
    return answer.usable ? state(`${before}ready`, before === '') : state('not ready');
  }
  if (general === null) return state('not on this host');
  const place = placeOf(profile, kind);
  if (place === '' && kind === 'smolvm') return state('needs an address');
  if (place !== '') return state('not asked yet');
  if (general === undefined) return null;
  return general.usable ? state('ready', true) : state('not ready');
}

/** The address that a profile names for an engine; empty where it names none. */
export function placeOf({ container, attach, smolvm }: Profile, kind: EngineKind): string {
  const places = { container: container?.endpoint, attach: attach?.endpoint, smolvm: smolvm?.address };
  return (kind in places && places[kind as keyof typeof places]) || '';
}

function state(words: string, isReady = false): EngineState {
  return { words, isReady };
}

import { useCallback, useEffect, useState } from 'react';
import type { Profile } from '../../shared/settings/schema.ts';
import type { EngineKind, EngineStatus } from '../../shared/terminal/engine-status.ts';
import { useServices } from '../app/services.ts';

/** Milliseconds after which a check that is not answered is worth a word. */
const PATIENCE_MS = 1_000;

type Answers = Readonly<Partial<Record<EngineKind, EngineStatus>>>;

export interface EngineCheck {
  /** The last answer about this engine; of earlier values while new ones are checked. Null before there is one. */
  readonly status: EngineStatus | null;
  /** The last answer of every engine that was asked about this profile. */
  readonly answers: Answers;
  /** Why the host could not be asked. */
  readonly error: string | null;
  /** It has taken long enough to say so. */
  readonly isSlow: boolean;
  recheck(): void;
}

/**
 * Whether the engine of a profile is usable with the profile's values: asked whenever one of them changes, the last question
 * counts. `enabled` false asks nothing.
 */
export function useEngineCheck(profile: Profile, enabled = true): EngineCheck {
  const { client } = useServices();
  const { engine } = profile;
  const [answers, setAnswers] = useState<Answers>({});
  const [error, setError] = useState<string | null>(null);
  const [isSlow, setSlow] = useState(false);
  const [asked, setAsked] = useState(0);
  // A profile is another object after every change of the settings, whatever was changed.
  const key = JSON.stringify(withoutName(profile));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is what of the profile matters; `asked` asks again
  useEffect(() => {
    if (!enabled) return;
    let current = true;
    const slow = setTimeout(() => setSlow(true), PATIENCE_MS);
    void client.request('engines.check', { profile }).then((checked) => {
      if (!current) return;
      clearTimeout(slow);
      setSlow(false);
      setError(checked.ok ? null : checked.error.message);
      const answer = checked.ok ? checked.value : undefined;
      setAnswers(({ [engine]: _, ...others }) => (answer ? { ...others, [engine]: answer } : others));
    });
    return () => {
      current = false;
      clearTimeout(slow);
      setSlow(false);
    };
  }, [client, key, asked, enabled]);
  const recheck = useCallback(() => setAsked((count) => count + 1), []);
  return { status: answers[engine] ?? null, answers, error, isSlow, recheck };
}

/** What a profile is called changes nothing about it. */
function withoutName({ name: _, ...rest }: Profile): Omit<Profile, 'name'> {
  return rest;
}

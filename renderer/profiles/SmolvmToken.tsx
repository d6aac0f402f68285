import { useCallback, useEffect } from 'react';
import type { Profile } from '../../shared/settings/schema.ts';
import { useServices } from '../app/services.ts';
import { useStateOf } from '../ui/use-state-of.ts';
import { TokenField } from './TokenField.tsx';

interface SmolvmTokenProps {
  readonly profile: Profile;
  readonly address: string;
  readonly onChange: () => void;
}

/** The token of a smolvm server. Whether one is kept is all that this page learns. */
export function SmolvmToken({ profile, address, onChange }: SmolvmTokenProps) {
  const { client } = useServices();
  // A token is of a profile and an address.
  const owner = `${profile.id} ${address}`;
  const [isKept, setKept] = useStateOf(owner, false);
  const load = useCallback(async () => {
    const answer = await client.request('machines.token', { profile });
    setKept(answer.ok && answer.value.kept);
  }, [client, profile, setKept]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for an owner, not for everything else of its profile
  useEffect(() => void load(), [owner]);
  const told = async (asked: Promise<{ ok: true } | { ok: false; error: { message: string } }>) => {
    const answer = await asked;
    await load();
    onChange();
    return answer.ok ? null : answer.error.message;
  };
  return (
    <TokenField
      owner={owner}
      isKept={isKept}
      what="Where a proxy before smolvm asks for one."
      onSave={(token) => told(client.request('machines.set-token', { profileId: profile.id, token }))}
      onForget={() => told(client.request('machines.forget-token', { profileId: profile.id }))}
    />
  );
}

import { useCallback, useEffect, useState } from 'react';
import type { Profile } from '../../shared/settings/schema.ts';
import { useServices } from '../app/services.ts';
import { TokenField } from './TokenField.tsx';

interface SmolvmTokenProps {
  readonly profile: Profile;
  readonly address: string;
  readonly onChange: () => void;
}

/** The token of a smolvm server. Whether one is kept is all that this page learns. */
export function SmolvmToken({ profile, address, onChange }: SmolvmTokenProps) {
  const { client } = useServices();
  const [isKept, setKept] = useState(false);
  const load = useCallback(async () => {
    const answer = await client.request('machines.token', { profile });
    setKept(answer.ok && answer.value.kept);
  }, [client, profile]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a token is of a profile and an address
  useEffect(() => void load(), [profile.id, address]);
  const told = async (asked: Promise<{ ok: true } | { ok: false; error: { message: string } }>) => {
    const answer = await asked;
    await load();
    onChange();
    return answer.ok ? null : answer.error.message;
  };
  return (
    <TokenField
      isKept={isKept}
      what="Where a proxy before smolvm asks for one."
      onSave={(token) => told(client.request('machines.set-token', { profileId: profile.id, token }))}
      onForget={() => told(client.request('machines.forget-token', { profileId: profile.id }))}
    />
  );
}

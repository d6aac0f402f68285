import { useCallback, useEffect, useState } from 'react';
import { smolvmSettingsSchema } from '../../shared/settings/engine-settings.ts';
import type { Profile } from '../../shared/settings/schema.ts';
import type { SmolvmMachine } from '../../shared/terminal/smolvm-machine.ts';
import { useServices } from '../app/services.ts';
import { useStateOf } from '../ui/use-state-of.ts';

export interface Machines {
  /** What leads to the server, as one text: another is another server. */
  readonly server: string;
  /** Null until the server has answered, and where it does not: why not is what the check of the engine says. */
  readonly machines: readonly SmolvmMachine[] | null;
  /** How often the server was asked: what hangs on the answer asks again with it. */
  readonly asked: number;
  reload(): void;
}

/** The machines of the server that a profile names; asked again when what leads to the server changes. */
export function useMachines(profile: Profile): Machines {
  const { client } = useServices();
  const { address, certificateAuthority, clientCertificate, clientKey } = smolvmSettingsSchema.parse(
    profile.smolvm ?? {},
  );
  const server = JSON.stringify([profile.id, address, certificateAuthority, clientCertificate, clientKey]);
  const [machines, setMachines] = useStateOf<Machines['machines']>(server, null);
  const [asked, setAsked] = useState(0);
  const isNamed = address !== '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the server is what of the profile matters; `asked` asks again
  useEffect(() => {
    if (!isNamed) return;
    let current = true;
    void client.request('machines.list', { profile }).then((listed) => {
      if (!current) return;
      setMachines(listed.ok ? listed.value.machines : null);
    });
    return () => {
      current = false;
    };
  }, [client, server, isNamed, asked, setMachines]);
  const reload = useCallback(() => setAsked((count) => count + 1), []);
  return { server, machines, asked, reload };
}

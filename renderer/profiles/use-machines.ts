import { useCallback, useEffect, useState } from 'react';
import { smolvmSettingsSchema } from '../../shared/settings/engine-settings.ts';
import type { Profile } from '../../shared/settings/schema.ts';
import type { SmolvmMachine } from '../../shared/terminal/smolvm-machine.ts';
import { useServices } from '../app/services.ts';

export interface Machines {
  /** Null until the server has answered, and where it does not: why not is what the check of the engine says. */
  readonly machines: readonly SmolvmMachine[] | null;
  /** How often the server was asked: what hangs on the answer asks again with it. */
  readonly asked: number;
  reload(): void;
}

/** The machines of the server that a profile names; asked again when what leads to the server changes. */
export function useMachines(profile: Profile): Machines {
  const { client } = useServices();
  const [machines, setMachines] = useState<Machines['machines']>(null);
  const [asked, setAsked] = useState(0);
  const { machine: _, startMachine: __, ...server } = smolvmSettingsSchema.parse(profile.smolvm ?? {});
  const key = JSON.stringify([profile.id, server]);
  const isNamed = server.address !== '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is what leads to the server; `asked` asks again
  useEffect(() => {
    if (!isNamed) {
      setMachines(null);
      return;
    }
    let current = true;
    void client.request('machines.list', { profile }).then((listed) => {
      if (!current) return;
      setMachines(listed.ok ? listed.value.machines : null);
    });
    return () => {
      current = false;
    };
  }, [client, key, isNamed, asked]);
  const reload = useCallback(() => setAsked((count) => count + 1), []);
  return { machines, asked, reload };
}

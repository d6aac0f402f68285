import { ok } from '../../../shared/result.ts';
import type { Handlers } from '../router.ts';
import type { HostServices } from '../services.ts';

export function hostHandlers({
  description,
  engines,
}: Pick<HostServices, 'description' | 'engines'>): Pick<Handlers, 'host.describe' | 'engines.list'> {
  return {
    'host.describe': () => ok(description),
    'engines.list': async ({ refresh }) => ok(await engines.list(refresh)),
  };
}

import { ok } from '../../../shared/result.ts';
import type { Handlers } from '../router.ts';
import type { HostServices } from '../services.ts';

export function hostHandlers({
  description,
}: Pick<HostServices, 'description'>): Pick<Handlers, 'host.describe'> {
  return { 'host.describe': () => ok(description) };
}

import { ok } from '../../../shared/result.ts';
import type { Handlers } from '../router.ts';
import type { HostServices } from '../services.ts';

export function settingsHandlers({
  settings,
}: Pick<HostServices, 'settings'>): Pick<Handlers, 'settings.read' | 'settings.replace'> {
  return {
    'settings.read': () => ok(settings.refresh()),
    'settings.replace': (params) => settings.replace(params),
  };
}

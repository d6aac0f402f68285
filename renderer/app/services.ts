import { createContext, useContext } from 'react';
import type { CommandRegistry } from '../commands/registry.ts';
import type { Client } from '../connection/client.ts';
import type { EnginesService } from '../settings/engines-service.ts';
import type { SettingsService } from '../settings/settings-service.ts';
import type { Sessions } from '../workspace/sessions.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** What the components act through. Made once, in main.tsx. */
export interface Services {
  readonly client: Client;
  readonly settings: SettingsService;
  readonly engines: EnginesService;
  readonly sessions: Sessions;
  readonly workspace: Workspace;
  readonly commands: CommandRegistry;
}

const ServicesContext = createContext<Services | null>(null);

export const ServicesProvider = ServicesContext.Provider;

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error('useServices outside of its provider');
  return services;
}

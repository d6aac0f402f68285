import { createContext, useContext } from 'react';
import type { ApprovalsService } from '../approvals/approvals-service.ts';
import type { SymbiontService } from '../approvals/symbiont-service.ts';
import type { CommandRegistry } from '../commands/registry.ts';
import type { Client } from '../connection/client.ts';
import type { GovernedService } from '../governed/governed-service.ts';
import type { ManifestsService } from '../governed/manifests-service.ts';
import type { PublicationsService } from '../publications/publications-service.ts';
import type { EnginesService } from '../settings/engines-service.ts';
import type { SettingsService } from '../settings/settings-service.ts';
import type { TranscriptsService } from '../transcripts/transcripts-service.ts';
import type { Sessions } from '../workspace/sessions.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** What the components act through. Made once, in main.tsx. */
export interface Services {
  readonly client: Client;
  readonly settings: SettingsService;
  readonly engines: EnginesService;
  readonly manifests: ManifestsService;
  readonly governed: GovernedService;
  readonly approvals: ApprovalsService;
  readonly symbiont: SymbiontService;
  readonly publications: PublicationsService;
  readonly transcripts: TranscriptsService;
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

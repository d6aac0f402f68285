import type { Handlers } from '../router.ts';
import type { HostServices } from '../services.ts';
import { approvalHandlers } from './approvals.ts';
import { containerHandlers } from './containers.ts';
import { engineHandlers } from './engines.ts';
import { folderHandlers } from './folders.ts';
import { governedHandlers } from './governed.ts';
import { hostHandlers } from './host.ts';
import { linkHandlers } from './links.ts';
import { machineHandlers } from './machines.ts';
import { publicationHandlers } from './publications.ts';
import { sessionHandlers } from './sessions.ts';
import { settingsHandlers } from './settings.ts';
import { symbiontHandlers } from './symbiont.ts';
import { transcriptExchangeHandlers } from './transcript-exchange.ts';
import { transcriptHandlers } from './transcripts.ts';

/** Every request that a client can make, by area. */
export function createHandlers(services: HostServices): Handlers {
  return {
    ...hostHandlers(services),
    ...engineHandlers(services),
    ...containerHandlers(services),
    ...machineHandlers(services),
    ...settingsHandlers(services),
    ...sessionHandlers(services),
    ...linkHandlers(services),
    ...folderHandlers(services),
    ...governedHandlers(services),
    ...approvalHandlers(services),
    ...symbiontHandlers(services),
    ...publicationHandlers(services),
    ...transcriptHandlers(services),
    ...transcriptExchangeHandlers(services),
  };
}

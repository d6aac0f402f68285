import { EngineError } from '../sandbox/engine.ts';
import type { ContainerDaemons, SmolvmServers } from './services.ts';

const none = (what: string) => async (): Promise<never> => {
  throw new EngineError('engine-unavailable', `This host cannot ask ${what}.`);
};
const daemon = none('a container daemon');
const server = none('a smolvm server');

/** For a host that has no such engine. */
export const NO_DAEMONS: ContainerDaemons = { images: daemon, running: daemon, pull: daemon };
export const NO_SERVERS: SmolvmServers = {
  list: server,
  create: server,
  start: server,
  stop: server,
  delete: server,
  unresolved: server,
  resolve: server,
};

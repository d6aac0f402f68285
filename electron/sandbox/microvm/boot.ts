import { ownCommand } from '../../own-command.ts';
import { EngineError } from '../engine.ts';
import { GuestLink } from './guest-link.ts';
import type { Machine, MachinePlan, Monitor } from './monitor/monitor.ts';
import { type GuestFacts, PROTOCOL } from './protocol.ts';

/** A machine whose program waits for `start`. */
export interface BootedMachine {
  readonly machine: Machine;
  readonly link: GuestLink;
  readonly guest: GuestFacts;
}

/** Milliseconds for a monitor to be gone after SIGKILL. */
const KILL_MS = 5_000;

/** Starts a machine and waits for its agent. Rejects when `signal` aborts, too; whatever was started has been ended by then. */
export async function bootMachine(
  monitor: Monitor,
  plan: MachinePlan,
  signal: AbortSignal,
): Promise<BootedMachine> {
  signal.throwIfAborted();
  const machine = await monitor.start(plan);
  let link: GuestLink | null = null;
  const abort = () => void machine.process.kill(0);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    link = new GuestLink(await machine.dial(signal));
    // The signal has the deadline.
    const { protocol, facts } = await link.next('hello');
    signal.throwIfAborted();
    if (protocol !== PROTOCOL)
      throw new EngineError(
        'engine-unavailable',
        `${otherProtocol(protocol)}\nBuild it again: ${ownCommand('guest build')}`,
      );
    return { machine, link, guest: facts };
  } catch (error) {
    await discardMachine(machine, link);
    signal.throwIfAborted();
    if (error instanceof EngineError) throw error;
    throw new Error(`${(error as Error).message} (${machine.process.inWords()})`);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

export function otherProtocol(protocol: number): string {
  return `The guest speaks version ${protocol} of the agent's protocol, and this Airlock ${PROTOCOL}.`;
}

/** Ends a machine that is of no use. */
export async function discardMachine(machine: Machine, link: GuestLink | null): Promise<void> {
  await machine.process.kill(KILL_MS);
  link?.close();
  await machine.removeFiles();
}

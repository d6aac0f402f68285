import type { ContainerSettings } from '../../../shared/settings/engine-settings.ts';
import type { Profile } from '../../../shared/settings/schema.ts';
import type { ContainerFacts, DaemonInfo } from '../docker/answers.ts';
import type { Daemon } from '../docker/client.ts';
import { CurableError } from '../docker/curable-error.ts';
import { cleanWords } from '../docker/daemon-error.ts';
import { EngineError } from '../engine.ts';

/** What gVisor's kernel calls itself: its older versions a Linux 4.4.0 of one date, newer ones by name. */
const GVISOR = /gvisor|^Linux version 4\.4\.0 #1 SMP Sun Jan 10 15:06:54 PST 2016$/i;

/** The runtime that a container gets. What a profile leaves to its daemon is gVisor as well where that is the daemon's own. */
export function runtimeOf(
  { runtime }: ContainerSettings,
  { DefaultRuntime }: DaemonInfo,
): ContainerSettings['runtime'] {
  return DefaultRuntime === 'runsc' ? 'runsc' : runtime;
}

/** Refuses a runtime that the daemon does not have, before anything is created. */
export function requireRuntime(
  { runtime }: ContainerSettings,
  { Runtimes, DefaultRuntime }: DaemonInfo,
  product: Daemon['product'],
): void {
  if (runtime === 'default' || DefaultRuntime === 'runsc') return;
  if (product === 'Podman') {
    throw new EngineError(
      'engine-unavailable',
      `Podman’s service takes no runtime from its callers, and its own is ${DefaultRuntime ?? 'unknown'}. For gVisor put runtime = "runsc" below [engine] in containers.conf and start the service again, or use Docker.`,
    );
  }
  if (Runtimes && Object.hasOwn(Runtimes, runtime)) return;
  throw new CurableError('engine-unavailable', 'This Docker has no runtime "runsc" (gVisor).', [
    {
      text: 'Install gVisor and register it:',
      command: 'sudo runsc install && sudo systemctl restart docker',
    },
  ]);
}

/**
 * Refuses a container that was not created with the network and the runtime that were asked for, or is privileged: nothing of
 * it has run yet.
 */
export function checkCreated(
  { network }: Pick<Profile, 'network'>,
  { runtime }: ContainerSettings,
  { HostConfig, OCIRuntime }: ContainerFacts,
): void {
  const { NetworkMode, Privileged } = HostConfig;
  if (NetworkMode !== network || Privileged)
    throw new EngineError(
      'open-failed',
      `The daemon made another container than was asked for: its network is ${NetworkMode ?? 'of the daemon’s own choice'}, not ${network}${Privileged ? ', and it is privileged' : ''}. Nothing of yours was run in it.`,
    );
  if (runtime === 'default') return;
  const actual = OCIRuntime ?? HostConfig.Runtime;
  // Podman says "oci", and which one only where it is asked in its own way; then the kernel inside decides.
  if (actual === runtime || (actual === 'oci' && OCIRuntime === null)) return;
  throw notGvisor(`the daemon gave the container the runtime ${actual ?? 'of its own choice'}`);
}

/**
 * Refuses a sandbox whose kernel is not gVisor, by what that kernel says inside, before the program runs. What was asked for
 * proves nothing: daemons ignore it, and a name can stand for any runtime.
 */
export function checkKernel({ runtime }: ContainerSettings, kernel: string, hostKernel: string | null): void {
  if (runtime === 'default') return;
  if (GVISOR.test(kernel) && !(hostKernel !== null && kernel.includes(hostKernel))) return;
  throw notGvisor(`its kernel says "${cleanWords(kernel)}"`);
}

function notGvisor(why: string): EngineError {
  return new EngineError(
    'open-failed',
    `The container is not isolated by gVisor: ${why}. Nothing of yours was run in it.`,
  );
}

import type { ContainerSettings } from '../../../shared/settings/engine-settings.ts';
import type { EngineStatus } from '../../../shared/terminal/engine-status.ts';
import { type DaemonInfo, isRootless } from '../docker/answers.ts';
import type { DockerClient } from '../docker/client.ts';
import { isLocal } from '../docker/endpoint.ts';
import { runtimeOf } from './runtime.ts';

/** What is to be said of a daemon that can be used. */
export function usable(
  { endpoint, daemon }: DockerClient,
  info: DaemonInfo,
  settings: ContainerSettings,
): EngineStatus {
  const { product, version } = daemon;
  const rootless = isRootless(info);
  const unbounded = [
    ...(info.MemoryLimit ? [] : ['memory']),
    ...(info.PidsLimit ? [] : ['the number of processes']),
    ...(info.CpuCfsQuota ? [] : ['CPU time']),
  ];
  const cgroups = info.CgroupVersion === null ? '' : ` (cgroup v${info.CgroupVersion})`;
  return {
    kind: 'container',
    usable: true,
    version,
    summary: `${product} ${version} at ${endpoint.address} is ready.`,
    fixes: [],
    notes: [
      rootless
        ? `${product} runs without root: its containers are yours, not the machine’s.`
        : `${product} runs as root: who may use it is as good as root on ${isLocal(endpoint) ? 'this machine' : 'that machine'}.`,
      rootless && product === 'Podman'
        ? 'What bounds a session is read back inside when it opens, and shown there: memory and CPU only where control groups of version 2 are delegated to you.'
        : unbounded.length > 0
          ? `It does not bound ${unbounded.join(', ')} of a container${cgroups}.`
          : `It bounds memory, processes and CPU of a container${cgroups}.`,
      gvisorNote(info, settings),
      ...(product === 'Podman'
        ? ['Ctrl-Z stops no program there: Podman’s init, catatonit, starts them with that signal blocked.']
        : []),
      ...(isLocal(endpoint)
        ? []
        : ['It may be another machine: sessions there have no folder of this one, and no /out.']),
    ],
  };
}

function gvisorNote(info: DaemonInfo, settings: ContainerSettings): string {
  if (runtimeOf(settings, info) === 'runsc')
    return 'Containers run on gVisor; each is asked for its kernel before its program begins.';
  if (info.Runtimes && Object.hasOwn(info.Runtimes, 'runsc'))
    return 'gVisor (runsc) is installed there; this profile does not use it.';
  return 'gVisor (runsc) is not installed there: containers share the kernel of its machine.';
}

import type { ContainerFacts } from './answers.ts';

/** What a daemon says of a container's bounds. Null where it names none. */
type HostConfig = ContainerFacts['HostConfig'];

/** Microseconds over which CPU time is measured out unless something else is said: the kernel's own default. */
export const CPU_PERIOD_US = 100_000;

/** Hundredths of one CPU. */
export function cpuPercentOf({ CpuQuota, CpuPeriod, NanoCpus }: HostConfig): number | null {
  const cpus =
    positive(CpuQuota) === null ? (NanoCpus ?? 0) / 1e9 : (CpuQuota ?? 0) / (CpuPeriod || CPU_PERIOD_US);
  // What is less than one hundredth is a bound as well.
  return cpus > 0 ? positive(Math.max(1, Math.round(cpus * 100))) : null;
}

/** The hard limit of each process. Docker says "nofile", Podman "RLIMIT_NOFILE". */
export function processLimitOf({ Ulimits }: HostConfig, name: 'nofile' | 'fsize'): number | null {
  return positive(Ulimits.find(({ Name }) => Name.toLowerCase().replace('rlimit_', '') === name)?.Hard);
}

/** A bound that is one; daemons say 0 or -1 where there is none. */
export function positive(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

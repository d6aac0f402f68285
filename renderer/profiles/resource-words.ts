import type {
  ContainerImage,
  PullProgress,
  RunningContainer,
} from '../../shared/protocol/engine-requests.ts';
import type { SmolvmMachine } from '../../shared/terminal/smolvm-machine.ts';
import { formatBytes } from '../ui/format.ts';

const AGES = [
  ['year', 365 * 24 * 3_600],
  ['month', 30 * 24 * 3_600],
  ['day', 24 * 3_600],
  ['hour', 3_600],
  ['minute', 60],
] as const;
const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** "3 days ago", "just now". Both are Unix times in milliseconds. */
export function ageWords(at: number, now: number = Date.now()): string {
  const seconds = (now - at) / 1_000;
  const [unit, size] = AGES.find(([, unitSeconds]) => seconds >= unitSeconds) ?? [null, 1];
  return unit === null ? 'just now' : AGO.format(-Math.floor(seconds / size), unit);
}

export function imageWords({ bytes, createdAt }: ContainerImage, now?: number): string {
  return `${formatBytes(bytes)} · ${ageWords(createdAt, now)}`;
}

export function containerWords({ image, status }: RunningContainer): string {
  return status === '' ? image : `${image} · ${status}`;
}

/** "running · debian:12 · 2 CPUs · 1 GiB · no network"; what the server does not say is left out, but not the network. */
export function machineWords({ state, image, cpus, memoryMiB, network }: SmolvmMachine): string {
  return [
    machineState(state),
    image,
    cpus === null ? null : cpus === 1 ? '1 CPU' : `${cpus} CPUs`,
    memoryMiB === null ? null : formatBytes(memoryMiB * 1024 ** 2),
    network === null ? 'network unknown' : network ? 'network on' : 'no network',
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

export function machineState(state: SmolvmMachine['state']): string {
  return { created: 'never started', running: 'running', stopped: 'stopped', other: 'in an unknown state' }[
    state
  ];
}

/** "Downloading · 12 MiB of 40 MiB"; before the daemon says anything: "Asking the daemon". */
export function pullWords(progress: PullProgress | null): string {
  if (progress === null) return 'Asking the daemon…';
  const { text, doneBytes, totalBytes } = progress;
  return totalBytes === null ? text : `${text} · ${formatBytes(doneBytes)} of ${formatBytes(totalBytes)}`;
}

/** Whether a text can be the name of an image that a daemon is asked to fetch. */
export function isImageName(text: string): boolean {
  return /^[a-z0-9][a-z0-9._:/@-]{0,254}$/.test(text);
}

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { MicrovmSettings } from '../../../shared/settings/engine-settings.ts';

export type MonitorName = MicrovmSettings['monitor'];

/** Milliseconds for a monitor to say its version. */
const VERSION_MS = 5_000;

/** Where distributions put them. Not PATH: what sandboxes everything is not picked up from a person's folder. */
const PLACES = {
  qemu: ['/usr/bin/qemu-system-x86_64', '/usr/local/bin/qemu-system-x86_64'],
  firecracker: ['/usr/bin/firecracker', '/usr/local/bin/firecracker'],
} as const satisfies Record<MonitorName, readonly string[]>;

/** The first with ACPI, without which a guest of Debian's kernel finds no device. */
export const FIRECRACKER_OLDEST = [1, 8] as const;

export interface MonitorProgram {
  readonly path: string;
  /** As in "7.2.22"; null when it says none. */
  readonly version: string | null;
}

/** The monitor's program, or null. `chosen` is a path that wins over the usual places. */
export async function findMonitor(name: MonitorName, chosen?: string): Promise<MonitorProgram | null> {
  const path = [...(chosen === undefined ? PLACES[name] : [chosen])].find((place) => existsSync(place));
  return path === undefined ? null : { path, version: await versionOf(path) };
}

async function versionOf(path: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: VERSION_MS });
    return /\d+\.\d+(\.\d+)?/.exec(stdout)?.[0] ?? null;
  } catch {
    return null;
  }
}

export function isTooOld(version: string, oldest: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  const differing = oldest.findIndex((number, index) => (parts[index] ?? 0) !== number);
  return differing >= 0 && (parts[differing] ?? 0) < (oldest[differing] ?? 0);
}

import { hostname } from 'node:os';
import { checkIdentity, identify } from './process-identity.ts';

/** One process of Airlock, named so that no later one can be taken for it. */
export interface HostProcess {
  readonly machine: string;
  readonly pid: number;
  /** As in SandboxIdentity; null where the system does not tell. */
  readonly startTime: string | null;
  readonly bootId: string | null;
}

export function thisProcess(): HostProcess {
  const identity = identify(process.pid);
  return {
    machine: hostname(),
    pid: process.pid,
    startTime: identity?.startTime ?? null,
    bootId: identity?.bootId ?? null,
  };
}

/**
 * Whether that process may still be running. In doubt it may: what several machines share says nothing about a process of
 * another one, and without start times any process with the number counts.
 */
export function mayBeAlive({ machine, pid, startTime, bootId }: HostProcess): boolean {
  if (machine !== hostname()) return true;
  if (startTime === null || bootId === null) return processExists(pid);
  return checkIdentity({ kind: 'process', pid, startTime, bootId }) === 'running';
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

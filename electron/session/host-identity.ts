import { hostname } from 'node:os';
import { checkIdentity, identify } from '../sandbox/process-identity.ts';
import type { LedgerHeader } from './ledger-entries.ts';

/** Names this process so that no later one can be taken for it. */
export function thisHost(): LedgerHeader {
  const identity = identify(process.pid);
  return {
    ledger: 1,
    machine: hostname(),
    pid: process.pid,
    startTime: identity?.startTime ?? null,
    bootId: identity?.bootId ?? null,
    at: new Date().toISOString(),
  };
}

/**
 * Whether the host that wrote `header` may still be running. In doubt it may: a folder that several machines share
 * says nothing about a host of another one, and without start times any process with the number counts.
 */
export function mayBeAlive({ machine, pid, startTime, bootId }: LedgerHeader): boolean {
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

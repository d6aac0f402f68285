import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import { identify, isGone } from './process-identity.ts';

export const hostProcessSchema = z.object({
  machine: z.string(),
  pid: z.number().int().positive(),
  /** As in SandboxIdentity; null where the system does not tell. */
  startTime: z.string().nullable(),
  bootId: z.string().nullable(),
});

/** One process of Airlock, named so that no later one can be taken for it. */
export type HostProcess = Readonly<z.infer<typeof hostProcessSchema>>;

export function thisProcess(): HostProcess {
  const identity = identify(process.pid);
  return {
    machine: thisMachine(),
    pid: process.pid,
    startTime: identity?.startTime ?? null,
    bootId: identity?.bootId ?? null,
  };
}

/**
 * Whether that process may still be running. In doubt it may: what several machines share says nothing about a process of
 * another one, and without start times any process with the number counts.
 */
export function mayBeAlive(host: HostProcess): boolean {
  if (!isOfThisMachine(host)) return true;
  const { pid, startTime, bootId } = host;
  if (startTime === null || bootId === null) return processExists(pid);
  return !isGone({ kind: 'process', pid, startTime, bootId });
}

/**
 * By name and machine-id, both: copies of one installation have the same id, and so have containers of an image that has one.
 * After a machine was renamed nothing is known any more of a process from before.
 */
export function isOfThisMachine({ machine }: HostProcess): boolean {
  return machine === thisMachine();
}

/** Whether `text` names, as JSON, a process that does not run any more. What cannot be read is another version's. */
export function isOfDeadProcess(text: string): boolean {
  const process = hostProcessSchema.safeParse(parseJson(text));
  return process.success && !mayBeAlive(process.data);
}

/**
 * Its name, and what tells it from another of that name where the system has such a thing: a digest, as machine-id(5) demands
 * of what goes to other machines.
 */
function thisMachine(): string {
  try {
    const id = readFileSync('/etc/machine-id', 'utf8').trim();
    return `${hostname()} ${createHmac('sha256', id).update('dev.airlock.host').digest('hex').slice(0, 16)}`;
  } catch {
    return hostname();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

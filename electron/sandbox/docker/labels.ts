import { randomBytes } from 'node:crypto';
import { isOfDeadProcess, thisProcess } from '../host-process.ts';
import type { DockerClient } from './client.ts';

/** On every container that Airlock creates: the session it is for, and the process that created it. */
export const LABELS = { session: 'dev.airlock.session', host: 'dev.airlock.host' } as const;

const NAME = /^\/?airlock-[0-9a-f]{16}$/;

/** What a container that Airlock creates is called. */
export function newContainerName(): string {
  return `airlock-${randomBytes(8).toString('hex')}`;
}

export function labelsOf(sessionId: string): Record<string, string> {
  return { [LABELS.session]: sessionId, [LABELS.host]: JSON.stringify(thisProcess()) };
}

/** Whether a container is one of a session: it goes with it, and is nobody else's to use. */
export function isOfSession(labels: Readonly<Record<string, string>> | null): boolean {
  return labels?.[LABELS.session] !== undefined;
}

/**
 * Removes whatever has the label of this session: for an opening of which it is not known how far it came. What is between may
 * not look for labels, so each is looked at (ST-25).
 */
export async function removeSession(client: DockerClient, sessionId: string): Promise<void> {
  for (const { Id, Labels } of await client.containers(`${LABELS.session}=${sessionId}`))
    if (Labels?.[LABELS.session] === sessionId) await client.remove(Id);
}

/**
 * Removes the containers of processes of this machine that do not run any more (ST-26). A container has the labels of its image
 * as well, whoever made it; but not its name. Rejects when one could not be removed, with what was said of the first; the others
 * are gone by then.
 */
export async function removeLeftOver(client: DockerClient): Promise<void> {
  const failures: unknown[] = [];
  for (const { Id, Names, Labels } of await client.containers(LABELS.host)) {
    if (!Names.some((name) => NAME.test(name)) || !isOfDeadProcess(Labels?.[LABELS.host] ?? '')) continue;
    await client.remove(Id).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

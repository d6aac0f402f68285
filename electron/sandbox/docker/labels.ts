import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { mayBeAlive, thisProcess } from '../host-process.ts';
import type { DockerClient } from './client.ts';

/** On every container that Airlock creates: the session it is for, and the process that created it. */
export const LABELS = { session: 'dev.airlock.session', host: 'dev.airlock.host' } as const;

const NAME = /^\/?airlock-[0-9a-f]{16}$/;

/** What a container that Airlock creates is called. */
export function newContainerName(): string {
  return `airlock-${randomBytes(8).toString('hex')}`;
}

const hostLabelSchema = z.object({
  machine: z.string(),
  pid: z.number().int().positive(),
  startTime: z.string().nullable(),
  bootId: z.string().nullable(),
});

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
 * Removes the containers of processes of this machine that do not run any more (ST-26). Resolves with their ids. A container has
 * the labels of its image as well, whoever made it; but not its name.
 */
export async function removeLeftOver(client: DockerClient): Promise<string[]> {
  const removed: string[] = [];
  for (const { Id, Names, Labels } of await client.containers(LABELS.host)) {
    if (!Names.some((name) => NAME.test(name)) || !isLeftOver(Labels?.[LABELS.host])) continue;
    await client.remove(Id);
    removed.push(Id);
  }
  return removed;
}

/** In doubt it is not: a label that cannot be read is another version's. */
function isLeftOver(label: string | undefined): boolean {
  const host = hostLabelSchema.safeParse(parseJson(label ?? ''));
  return host.success && !mayBeAlive(host.data);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { z } from 'zod';
import { mayBeAlive, thisProcess } from '../host-process.ts';
import type { DockerClient } from './client.ts';

/** On every container that Airlock creates: the session it is for, and the process that created it. */
export const LABELS = { session: 'dev.airlock.session', host: 'dev.airlock.host' } as const;

const hostLabelSchema = z.object({
  machine: z.string(),
  pid: z.number().int().positive(),
  startTime: z.string().nullable(),
  bootId: z.string().nullable(),
});

export function labelsOf(sessionId: string): Record<string, string> {
  return { [LABELS.session]: sessionId, [LABELS.host]: JSON.stringify(thisProcess()) };
}

/** Removes whatever has the label of this session: for an opening of which it is not known how far it came. */
export async function removeSession(client: DockerClient, sessionId: string): Promise<void> {
  for (const { Id } of await client.containers(`${LABELS.session}=${sessionId}`)) await client.remove(Id);
}

/** Removes the containers of processes of this machine that do not run any more (ST-26). Resolves with their ids. */
export async function removeLeftOver(client: DockerClient): Promise<string[]> {
  const removed: string[] = [];
  for (const { Id, Labels } of await client.containers(LABELS.host)) {
    if (!isLeftOver(Labels?.[LABELS.host])) continue;
    await client.remove(Id);
    removed.push(Id);
  }
  return removed;
}

/** In doubt it is not: a label that cannot be read is another version's. */
export function isLeftOver(label: string | undefined): boolean {
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

import { get } from 'node:http';
import { text } from 'node:stream/consumers';

/** The headers of a browser that opens an address in a window of its own, from a page of the same origin. */
export const NEW_WINDOW = {
  'Sec-Fetch-Dest': 'document',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Site': 'same-origin',
} as const;

/** What a window of its own is given: the key that approves, for one that lists. Null when it is given none. */
export async function windowKey(origin: string, key: string): Promise<string | null> {
  const answer = await fetch(`${origin}/api/window`, {
    method: 'POST',
    headers: { Origin: origin, 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
    body: '{}',
  });
  const { value } = (await answer.json()) as { value: { address: string } };
  return keyIn(await opened(value.address));
}

/** The document at an address, as a browser gets it with these headers. */
export function opened(address: string, headers: Record<string, string> = NEW_WINDOW): Promise<string> {
  return new Promise((resolve, reject) => {
    get(address, { headers }, (response) => text(response).then(resolve, reject)).on('error', reject);
  });
}

export function keyIn(document: string): string | null {
  return /<meta name="airlock-approval-key" content="([\w-]+)">/.exec(document)?.[1] ?? null;
}

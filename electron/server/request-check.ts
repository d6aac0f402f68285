import type { IncomingMessage } from 'node:http';

/** Path of the WebSocket. */
export const CONNECTION_PATH = '/connection';

/** The checked Host header of a request, or why the request is refused, for the person who reads the answer. */
export type HostCheck =
  | { readonly ok: true; readonly host: string }
  | { readonly ok: false; readonly reason: string };

/**
 * A request must name this host as a person would. That stops DNS rebinding: a foreign page whose name was made to
 * resolve to 127.0.0.1 still sends its own name.
 */
export function checkHost(request: IncomingMessage, port: number): HostCheck {
  const names = request.headersDistinct['host'] ?? [];
  const [host] = names;
  if (names.length === 1 && host !== undefined && [`127.0.0.1:${port}`, `localhost:${port}`].includes(host)) {
    return { ok: true, host };
  }
  const hint = `Through a tunnel, use ${port} as its local port too.`;
  return { ok: false, reason: `This host answers as 127.0.0.1:${port} or localhost:${port} only. ${hint}` };
}

/** A WebSocket is opened by pages of this very origin only; a browser always says which page asks. */
export function isOwnOrigin(request: IncomingMessage, host: string): boolean {
  const origins = request.headersDistinct['origin'] ?? [];
  return origins.length === 1 && origins[0] === `http://${host}`;
}

/**
 * Whether a page of this very origin has opened a tab or window at this address: in no frame, and asked for by no script,
 * which could not set these headers. Browsers that do not send them get no such page.
 */
export function isOwnNewTab({ headers }: IncomingMessage): boolean {
  return (
    headers['sec-fetch-dest'] === 'document' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-site'] === 'same-origin'
  );
}

/** The origin at another port of this host, under the name that the person uses. `host` is a checked Host header. */
export function siblingOrigin(host: string, port: number): string {
  return `http://${host.slice(0, host.lastIndexOf(':'))}:${port}`;
}

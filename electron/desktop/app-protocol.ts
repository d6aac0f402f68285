import { readFile } from 'node:fs/promises';
import type { Protocol, Session } from 'electron';
import { listPageFiles, type PageFile } from '../server/page-list.ts';
import { pageHeaders } from '../server/security-headers.ts';
import { APP_SCHEME, isWithinApp } from './app-origin.ts';

/**
 * `app://` is an origin like any other: its pages have storage and secure contexts, and its policies are enforced.
 * To be called before the application is ready.
 */
export function registerAppScheme(protocol: Protocol): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges }]);
}

/** Serves the built page of `folder`. Throws when it is not built. */
export function setupAppProtocol(session: Session, folder: string): void {
  const files = listPageFiles(folder);
  session.protocol.handle(APP_SCHEME, (request) => respondWithPageFile(files, request));
}

export async function respondWithPageFile(
  files: ReadonlyMap<string, PageFile>,
  request: Request,
): Promise<Response> {
  const headers = pageHeaders();
  if (request.method !== 'GET') return new Response(null, { status: 405, headers });
  const file = isWithinApp(request.url) ? files.get(new URL(request.url).pathname) : undefined;
  if (file === undefined) return new Response(null, { status: 404, headers });
  const body = new Uint8Array(await readFile(file.path));
  return new Response(body, { headers: { ...headers, 'Content-Type': file.contentType } });
}

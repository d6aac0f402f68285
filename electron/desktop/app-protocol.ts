import { readFile } from 'node:fs/promises';
import type { Protocol, Session } from 'electron';
import { listPageFiles, type PageFile } from '../server/page-list.ts';
import { approvalHeaders, pageHeaders } from '../server/security-headers.ts';
import { APP_SCHEME, APPROVAL_ORIGIN, APPROVAL_SCHEME, isWithinApp } from './app-origin.ts';

/**
 * `app://` and `approval://` are origins like any other: their pages have storage and secure contexts, and their policies
 * are enforced. To be called before the application is ready.
 */
export function registerAppScheme(protocol: Protocol): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges },
    { scheme: APPROVAL_SCHEME, privileges },
  ]);
}

/** Serves the built page of `folder`. Throws when it is not built. */
export function setupAppProtocol(session: Session, folder: string): void {
  const files = listPageFiles(folder);
  session.protocol.handle(APP_SCHEME, (request) => respondWithPageFile(files, request));
}

/** Serves the built approval page of `folder`, in a session of its own. Throws when it is not built. */
export function setupApprovalProtocol(session: Session, folder: string): void {
  const files = listPageFiles(folder);
  session.protocol.handle(APPROVAL_SCHEME, (request) => respondWithApprovalFile(files, request));
}

export async function respondWithPageFile(
  files: ReadonlyMap<string, PageFile>,
  request: Request,
): Promise<Response> {
  return respond(files, request, pageHeaders(), isWithinApp(request.url));
}

export async function respondWithApprovalFile(
  files: ReadonlyMap<string, PageFile>,
  request: Request,
): Promise<Response> {
  const { protocol, host } = new URL(request.url);
  return respond(files, request, approvalHeaders(null), `${protocol}//${host}` === APPROVAL_ORIGIN);
}

async function respond(
  files: ReadonlyMap<string, PageFile>,
  request: Request,
  headers: Record<string, string>,
  isOwn: boolean,
): Promise<Response> {
  if (request.method !== 'GET') return new Response(null, { status: 405, headers });
  const file = isOwn ? files.get(new URL(request.url).pathname) : undefined;
  if (file === undefined) return new Response(null, { status: 404, headers });
  const body = new Uint8Array(await readFile(file.path));
  return new Response(body, { headers: { ...headers, 'Content-Type': file.contentType } });
}

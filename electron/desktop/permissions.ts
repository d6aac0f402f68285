import type { Session } from 'electron';
import { APP_ORIGIN, isWithinApp } from './app-origin.ts';

/**
 * The only two web permissions that the page gets. Copying writes sanitized text; Paste from a menu or the palette
 * reads it (Ctrl+V-like keys paste without any permission). Programs in a sandbox never reach either one: OSC 52
 * reads are not answered and writes follow the profile's policy (B13). Chromium itself lets only a focused
 * document use them.
 */
const ALLOWED: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'clipboard-read']);

export interface PermissionQuestion {
  readonly permission: string;
  /** Serialized origin of the frame that asks, e.g. `app://airlock`; Chromium may append a slash. */
  readonly origin: string;
  readonly isMainFrame: boolean;
}

export function isPermitted({ permission, origin, isMainFrame }: PermissionQuestion): boolean {
  return isMainFrame && ALLOWED.has(permission) && (origin === APP_ORIGIN || origin === `${APP_ORIGIN}/`);
}

/** Answers every permission, device, download and network question of the page; almost always with no. */
export function setupPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const origin = originOf(details.requestingUrl);
    answer(isPermitted({ permission, origin, isMainFrame: details.isMainFrame }));
  });
  session.setPermissionCheckHandler((_contents, permission, origin, details) =>
    isPermitted({ permission, origin, isMainFrame: details.isMainFrame }),
  );
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    if (!isOwnDownload(item.getURL())) event.preventDefault();
  });
  refuseNetwork(session);
}

/** What the page made itself, such as an export: the person is asked where it goes. Nothing is fetched by it. */
export function isOwnDownload(url: string): boolean {
  return url.startsWith('blob:') && isWithinApp(url);
}

/** The page talks to its host by a port alone. Its CSP says the same; this holds if the policy is ever got round. */
function refuseNetwork(session: Session): void {
  const urls = ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'file:///*'];
  session.webRequest.onBeforeRequest({ urls }, (_details, answer) => answer({ cancel: true }));
}

function originOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? '' : `${parsed.protocol}//${parsed.host}`;
}

import { EventEmitter } from 'node:events';
import { record } from './control.ts';

/** Where the pages of a custom scheme live in Chromium: `app://airlock/x` is `https://airlock.app.test/x`. */
const HOST_SUFFIX = 'test';

export function toChromiumUrl(url: string): string {
  const parsed = new URL(url);
  const scheme = parsed.protocol.slice(0, -1);
  if (!schemes.has(scheme)) return url;
  return url.replace(`${scheme}://${parsed.host}`, `https://${parsed.host}.${scheme}.${HOST_SUFFIX}`);
}

export function toElectronUrl(url: string): string {
  const match = /^https:\/\/([^/]+)\.([a-z]+)\.test(?=[/?#]|$)/.exec(url);
  return match?.[2] && schemes.has(match[2]) ? url.replace(match[0], `${match[2]}://${match[1]}`) : url;
}

const schemes = new Set<string>();

export const protocol = {
  registerSchemesAsPrivileged(list: readonly { scheme: string; privileges: object }[]): void {
    record('protocol.registerSchemesAsPrivileged', list);
    for (const { scheme } of list) schemes.add(scheme);
  },
};

type Handler = (request: Request) => Response | Promise<Response>;
type BeforeRequest = (details: { url: string }, answer: (response: { cancel?: boolean }) => void) => void;
type CheckHandler = (
  contents: unknown,
  permission: string,
  origin: string,
  details: { isMainFrame: boolean; requestingUrl: string },
) => boolean;

/** Chromium's name of each permission that a page can be given from outside, and Electron's name for it. */
const PERMISSIONS: readonly (readonly [chromium: object, electron: string])[] = [
  [{ name: 'clipboard-write', allowWithoutSanitization: false }, 'clipboard-sanitized-write'],
  [{ name: 'clipboard-read' }, 'clipboard-read'],
  [{ name: 'notifications' }, 'notifications'],
  [{ name: 'geolocation' }, 'geolocation'],
  [{ name: 'camera' }, 'media'],
  [{ name: 'microphone' }, 'media'],
  [{ name: 'midi' }, 'midi'],
  [{ name: 'idle-detection' }, 'idle-detection'],
  [{ name: 'local-fonts' }, 'local-fonts'],
  [{ name: 'window-management' }, 'window-management'],
];

class Session extends EventEmitter {
  readonly protocol = {
    handle: (scheme: string, handler: Handler) => void this.#handlers.set(scheme, handler),
  };
  readonly webRequest = {
    onBeforeRequest: (filter: { urls: string[] }, listener: BeforeRequest) => {
      this.#beforeRequest = { patterns: filter.urls.map(toPattern), listener };
    },
  };
  readonly #handlers = new Map<string, Handler>();
  #beforeRequest: { patterns: RegExp[]; listener: BeforeRequest } | null = null;
  #check: CheckHandler | null = null;

  setPermissionRequestHandler(handler: unknown): void {
    record('session.setPermissionRequestHandler', handler !== null);
  }

  setPermissionCheckHandler(handler: CheckHandler | null): void {
    this.#check = handler;
  }

  setDevicePermissionHandler(handler: unknown): void {
    record('session.setDevicePermissionHandler', handler !== null);
  }

  handlerOf(url: string): Handler | undefined {
    return this.#handlers.get(new URL(url).protocol.slice(0, -1));
  }

  /** Whether the app lets a request that no handler serves reach the network. */
  allowsRequest(url: string): Promise<boolean> {
    const rule = this.#beforeRequest;
    if (!rule?.patterns.some((pattern) => pattern.test(url))) return Promise.resolve(true);
    return new Promise((resolve) => rule.listener({ url }, ({ cancel }) => resolve(!cancel)));
  }

  /** What the app's check handler answers for a page's main frame, in Chromium's words. */
  permissionsFor(contents: unknown, url: string): { permission: object; setting: 'granted' | 'denied' }[] {
    const origin = `${new URL(url).protocol}//${new URL(url).host}`;
    return PERMISSIONS.map(([permission, name]) => {
      const granted =
        this.#check?.(contents, name, origin, { isMainFrame: true, requestingUrl: url }) ?? true;
      return { permission, setting: granted ? 'granted' : 'denied' };
    });
  }
}

/** A match pattern such as `https://*` + `/*`. */
function toPattern(pattern: string): RegExp {
  return new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
}

const defaultSession = new Session();
const partitions = new Map<string, Session>();
export type DoubleSession = Session;
export const session = {
  defaultSession,
  fromPartition(name: string): Session {
    const known = partitions.get(name) ?? new Session();
    partitions.set(name, known);
    return known;
  },
};

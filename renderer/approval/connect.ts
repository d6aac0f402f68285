import type { AskHost } from '../../shared/governed/approval-page.ts';
import { connectHttp } from './http-connection.ts';
import { connectPort } from './port-connection.ts';

/** How the page reaches its host. */
export interface PageConnection {
  /**
   * Resolves when the page may ask; to words when it may not, or when this document is about to be left for the main
   * page (null).
   */
  readonly entered: Promise<{ readonly kind: 'in' } | { readonly kind: 'out'; readonly text: string } | null>;
  readonly ask: AskHost;
  /** Whether nothing can lie over this page, so that what it shows is what is seen, and it may approve. */
  readonly isWindow: boolean;
  /** The address of a window that may; null when the host gives none. */
  ownWindow(): Promise<string | null>;
  /** What was to be decided is decided: a window that was opened for it closes. */
  leave(): void;
  /** Tells which request the main page wants to be shown first; only a wish. */
  onWish(listener: (id: string) => void): void;
}

/** Over plain HTTP it is the headless host's; every other page is a desktop's view, which gets a port from its preload. */
export function connect(): PageConnection {
  return window.location.protocol === 'http:' ? connectHttp() : connectPort();
}

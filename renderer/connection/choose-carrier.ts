import type { OpenCarrier } from './carrier.ts';
import { openMessagePort } from './message-port-carrier.ts';
import { hasCredential, openWebSocket } from './websocket-carrier.ts';

/** Milliseconds that a page over HTTP without any credential waits for a preload before it calls itself signed out. */
const PRELOAD_GRACE_MS = 1_000;

/**
 * The desktop's page gets a port from its preload; a browser's page, which came over HTTP, signs in to its own host.
 * A page over HTTP that has nothing to sign in with asks for a port first, in case a preload is there.
 */
export const openCarrier: OpenCarrier = async (listener, signal) => {
  const overHttp = /^https?:$/.test(window.location.protocol);
  if (!overHttp) return openMessagePort(listener, signal);
  if (hasCredential()) return openWebSocket(listener, signal);
  const port = await openMessagePort(listener, signal, PRELOAD_GRACE_MS);
  return port.kind === 'open' ? port : openWebSocket(listener, signal);
};

import type { OpenCarrier } from './carrier.ts';
import { openMessagePort } from './message-port-carrier.ts';
import { openWebSocket } from './websocket-carrier.ts';

/**
 * The headless host is reached over plain HTTP on loopback: such a page signs in to it. Every other page is the desktop's
 * and gets a port from its preload.
 */
export const openCarrier: OpenCarrier = (listener, signal) =>
  window.location.protocol === 'http:' ? openWebSocket(listener, signal) : openMessagePort(listener, signal);

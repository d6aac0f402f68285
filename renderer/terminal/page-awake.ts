import { unthrottleTimers } from './unthrottled-timers.ts';

let awake = false;

/**
 * Keeps a hidden page parsing and acknowledging, so that its programs go on and end (B31). Browsers slow down the timers
 * of hidden pages, and after some minutes freeze those that hold no lock: this page holds one that nobody else asks for.
 */
export function keepPageAwake(): void {
  if (awake) return;
  awake = true;
  unthrottleTimers(() => document.hidden);
  // Locks need a secure context, which loopback and app:// are.
  void navigator.locks?.request(`airlock-page-${crypto.randomUUID()}`, () => new Promise(() => {}));
}

import { cleanTitle } from '../../shared/terminal/title.ts';
import type { PendingApproval } from '../state/approvals-store.ts';
import { useConnection } from '../state/connection-store.ts';

/**
 * Tells of a decision by the system's own notification while the window is not in front. A desktop's host does that by
 * itself: the page gets no such permission there. A click brings the window to the front and shows the request; it
 * decides nothing.
 */
export function notify(request: PendingApproval, onClick: () => void): void {
  if (notificationsAre() !== 'granted' || document.hasFocus()) return;
  const notification = new Notification('Airlock: a decision is open', {
    body: cleanTitle(request.title),
    tag: request.id,
  });
  notification.addEventListener('click', () => {
    window.focus();
    onClick();
    notification.close();
  });
}

/** `host`: the desktop's own business. `unavailable`: this browser has none. */
export function notificationsAre(): NotificationPermission | 'host' | 'unavailable' {
  if (useConnection.getState().host?.host === 'desktop') return 'host';
  return 'Notification' in globalThis ? Notification.permission : 'unavailable';
}

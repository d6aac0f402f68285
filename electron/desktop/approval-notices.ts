import { BrowserWindow, Notification } from 'electron';
import type { Disposable } from '../../shared/disposable.ts';
import type { ApprovalQueue } from '../approvals/approval-queue.ts';

/**
 * Tells of each new decision by the system's own notification while none of Airlock's windows is in front. A click brings a
 * window to the front; it decides nothing (DESIGN 6).
 */
export function setupApprovalNotices(approvals: ApprovalQueue, showWindow: () => void): Disposable {
  const told = new Set<string>();
  return approvals.onChange(() => {
    const { pending } = approvals.view();
    for (const { id, title } of pending) {
      if (told.has(id)) continue;
      told.add(id);
      if (BrowserWindow.getFocusedWindow() === null && Notification.isSupported()) tell(title, showWindow);
    }
    for (const id of told) if (!pending.some((request) => request.id === id)) told.delete(id);
  });
}

function tell(title: string, showWindow: () => void): void {
  const notification = new Notification({ title: 'Airlock: a decision is open', body: title });
  notification.on('click', showWindow);
  notification.show();
}

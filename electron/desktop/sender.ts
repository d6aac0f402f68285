import type { WebFrameMain } from 'electron';
import { APP_ORIGIN, APPROVAL_ORIGIN, isApprovalUrl, isAppUrl } from './app-origin.ts';

/** What is read of the frame that asks. */
export interface AskingFrame {
  readonly url: string;
  readonly origin: string;
  readonly parent: unknown;
}

/** The sender check of the desktop's windows: the main frame of one of our windows, showing the app's own page. */
export function mayConnect<Frame extends AskingFrame = WebFrameMain>(frame: Frame | null): frame is Frame {
  return frame !== null && frame.parent === null && frame.origin === APP_ORIGIN && isAppUrl(frame.url);
}

/** That of the approval views, which no frame of a window passes, nor one of theirs the other. */
export function mayDecide<Frame extends AskingFrame = WebFrameMain>(frame: Frame | null): frame is Frame {
  return (
    frame !== null && frame.parent === null && frame.origin === APPROVAL_ORIGIN && isApprovalUrl(frame.url)
  );
}

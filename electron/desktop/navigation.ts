import type { App, WebContents } from 'electron';
import { isAppUrl } from './app-origin.ts';

/**
 * No web contents ever shows anything but the app's page: every navigation elsewhere, every new window and every
 * embedded page is refused, in whatever web contents come to exist. Links are opened by the host after its own
 * policy (`link.open`), never by navigation.
 */
export function setupNavigationGuard(app: App): void {
  app.on('web-contents-created', (_event, contents) => guard(contents));
}

function guard(contents: WebContents): void {
  contents.on('will-navigate', refuseOtherPages);
  contents.on('will-redirect', refuseOtherPages);
  contents.on('will-frame-navigate', (event) => {
    // The page has no frames (frame-src 'none'), so a frame that navigates is none of its own.
    if (!event.isMainFrame || !isAppUrl(event.url)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

function refuseOtherPages(event: { readonly url: string; preventDefault(): void }): void {
  if (!isAppUrl(event.url)) event.preventDefault();
}

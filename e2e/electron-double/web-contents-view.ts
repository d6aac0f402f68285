import { record } from './control.ts';
import type { DoubleSession } from './session.ts';
import { WebContents } from './web-contents.ts';

interface ViewOptions {
  readonly webPreferences?: { readonly preload?: string; readonly session?: DoubleSession };
}

/** As large as a dock is: a page's own window stands for the view here. */
const SIZE = { width: 480, height: 900 } as const;

/** A view over a window's page. Here its page has a Chromium window of its own; where it lies is recorded. */
export class WebContentsView {
  readonly webContents: WebContents;

  constructor({ webPreferences }: ViewOptions = {}) {
    if (!webPreferences?.preload) throw new Error('The double runs views with a preload only.');
    record('view.created', { ...webPreferences, session: webPreferences.session !== undefined });
    this.webContents = new WebContents(webPreferences.preload, SIZE, webPreferences.session);
  }

  setBounds(bounds: object): void {
    record('view.setBounds', bounds);
  }

  setVisible(visible: boolean): void {
    record('view.setVisible', visible);
  }
}

/** The page's own scheme, origin and address. Everything that Airlock shows comes from here and nothing else does. */
export const APP_SCHEME = 'app';
export const APP_ORIGIN = 'app://airlock';
export const APP_URL = `${APP_ORIGIN}/index.html`;

/** Whether a frame's address is the app's page: scheme, host and path compared, not a prefix. */
export function isAppUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && `${parsed.protocol}//${parsed.host}${parsed.pathname}` === APP_URL;
}

/** Whether a request stays within the app: its own files, and blobs that the page made itself. */
export function isWithinApp(url: string): boolean {
  const parsed = URL.parse(url.startsWith('blob:') ? url.slice('blob:'.length) : url);
  return parsed !== null && `${parsed.protocol}//${parsed.host}` === APP_ORIGIN;
}

/** The approval page's own scheme, origin and address (DESIGN 6): nothing of the app's page can reach into it. */
export const APPROVAL_SCHEME = 'approval';
export const APPROVAL_ORIGIN = 'approval://airlock';
export const APPROVAL_URL = `${APPROVAL_ORIGIN}/index.html`;

/** Whether a frame's address is the approval page, compared as `isAppUrl`. */
export function isApprovalUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && `${parsed.protocol}//${parsed.host}${parsed.pathname}` === APPROVAL_URL;
}

/**
 * The page's content security policy. Styles are the one opening: xterm.js makes `<style>` elements and style
 * attributes for its rows, and has no nonce for them. `connections` are further sources of `connect-src`.
 */
export function contentSecurityPolicy(connections: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...connections].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Headers of everything that is served to the page, on either host. `connections` as in `contentSecurityPolicy`. */
export function pageHeaders(connections: readonly string[] = []): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(connections),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  };
}

/** Headers of every answer of the headless host. `host` is a checked Host header: not every browser counts ws: as 'self'. */
export function securityHeaders(host: string): Record<string, string> {
  return pageHeaders([`ws://${host}`]);
}

/**
 * The page's content security policy. Styles are the one opening: xterm.js makes `<style>` elements and style
 * attributes for its rows, and has no nonce for them. `connections` are further sources of `connect-src`, `frames` the
 * pages that it may embed.
 */
export function contentSecurityPolicy(
  connections: readonly string[] = [],
  frames: readonly string[] = [],
): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...connections].join(' '),
    ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Headers of everything that is served to the page, on either host. Parameters as in `contentSecurityPolicy`. */
export function pageHeaders(
  connections: readonly string[] = [],
  frames: readonly string[] = [],
): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(connections, frames),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  };
}

/**
 * Headers of every answer of the headless host. `host` is a checked Host header: not every browser counts ws: as 'self'.
 * `approvalOrigin` is the one page that it embeds, or null.
 */
export function securityHeaders(host: string, approvalOrigin: string | null): Record<string, string> {
  return pageHeaders([`ws://${host}`], approvalOrigin === null ? [] : [approvalOrigin]);
}

/**
 * Headers of everything that is served to the approval page, on either host: its own files and its own host, and
 * `embedder` is the one origin that may frame it; null where nobody may (DESIGN 6).
 */
export function approvalHeaders(embedder: string | null): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${embedder ?? "'none'"}`,
    "require-trusted-types-for 'script'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Origin-Agent-Cluster': '?1',
    'Permissions-Policy': 'camera=(), clipboard-read=(), geolocation=(), microphone=()',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
}

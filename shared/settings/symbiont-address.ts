/** Scheme, host and port as they are written; anything else in an address is told apart below. */
const ORIGIN = /^(https?):\/\/(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(:\d{1,5})?\/?$/;

/**
 * What is wrong with the address of a Symbiont runtime, as the end of a sentence; null when it can be used. The token goes
 * to this address and nowhere else, so it is an origin alone, and unencrypted on this machine only. Never repeats the address:
 * what a person put into it may be a password.
 */
export function symbiontAddressProblem(address: string): string | null {
  if (!/^https?:\/\//.test(address)) return 'must start with http:// or https://';
  const [authority = ''] = address.replace(/^https?:\/\//, '').split(/[/\\?#]/, 1);
  if (authority.includes('@')) return 'must not contain a user name or a password';
  if (/[/\\?#]./.test(address.slice(8))) return 'must not have a path, a query or a fragment';
  const [, scheme] = ORIGIN.exec(address) ?? [];
  if (scheme === undefined || !URL.canParse(address))
    return 'must be an address such as http://127.0.0.1:8080';
  if (scheme === 'http' && !isLoopback(new URL(address).hostname)) {
    return 'must use https, except on this machine (127.0.0.1, [::1] or localhost)';
  }
  return null;
}

/** `hostname` as URL writes it: numbers and abbreviations are dotted quads there. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

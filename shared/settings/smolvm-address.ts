import { isLoopback } from './symbiont-address.ts';

/** Where a smolvm server listens. */
export type SmolvmAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'http' | 'https'; readonly hostname: string; readonly port: number };

/** Bytes of a socket's path, and of an address: what every system takes (rule 13). */
export const SMOLVM_ADDRESS = { socketPathBytes: 100, bytes: 2048 } as const;

const ORIGIN = /^(https?):\/\/(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(:\d{1,5})?\/?$/;

/**
 * What is wrong with an address, as the end of a sentence; null when it can be used (rule 13). A machine is worth as much as
 * what runs in it, so nothing but a socket or this machine is spoken to unencrypted. Never repeats the address: what a person
 * put into it may be a password.
 */
export function smolvmAddressProblem(address: string): string | null {
  if (address === '') return 'must name where smolvm listens';
  if (bytesOf(address) > SMOLVM_ADDRESS.bytes) return `must have at most ${SMOLVM_ADDRESS.bytes} bytes`;
  if (address.startsWith('unix:')) return socketProblem(address);
  if (!/^https?:\/\//.test(address)) return 'must start with unix:///, http:// or https://';
  const [authority = ''] = address.replace(/^https?:\/\//, '').split(/[/\\?#]/, 1);
  if (authority.includes('@')) return 'must not contain a user name or a password';
  if (/[/\\?#]./.test(address.slice(8))) return 'must not have a path, a query or a fragment';
  const [, scheme, port] = ORIGIN.exec(address) ?? [];
  if (scheme === undefined || !URL.canParse(address))
    return 'must be an address such as http://127.0.0.1:8080';
  // There is no usual port: 80 or 443 would be a guess.
  if (port === undefined) return 'must name its port, such as http://127.0.0.1:8080';
  if (scheme === 'http' && !isLoopback(new URL(address).hostname)) {
    return 'must use https, except on this machine (127.0.0.1, [::1] or localhost)';
  }
  return null;
}

/** Throws with the problem in words when there is one. */
export function parseSmolvmAddress(address: string): SmolvmAddress {
  const problem = smolvmAddressProblem(address);
  if (problem !== null) throw new Error(problem);
  if (address.startsWith('unix:')) return { kind: 'unix', path: address.slice('unix://'.length) };
  const url = new URL(address);
  const kind = url.protocol === 'https:' ? 'https' : 'http';
  const port = url.port === '' ? (kind === 'https' ? 443 : 80) : Number(url.port);
  return { kind, hostname: url.hostname.replace(/^\[|\]$/g, ''), port };
}

function socketProblem(address: string): string | null {
  const path = address.slice('unix://'.length);
  if (!address.startsWith('unix:///') || path.length < 2) return 'must be unix:// and an absolute path';
  // Taken as it is written: nothing in it is decoded, so nothing may look as if it were.
  if (/[\p{Cc}\p{Cf}?#%]/u.test(path)) return 'must name a socket without control characters, ?, # and %';
  if (bytesOf(path) > SMOLVM_ADDRESS.socketPathBytes) {
    return `must name a socket whose path has at most ${SMOLVM_ADDRESS.socketPathBytes} bytes, has ${bytesOf(path)}`;
  }
  return null;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

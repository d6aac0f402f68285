import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import type { HostFacts } from './arguments.ts';

const TOP_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Nothing secret: how programs find each other and their libraries, and the time zone. */
const ETC_ALWAYS = ['/etc/alternatives', '/etc/ld.so.cache', '/etc/localtime'];

/** Certificates and name servers. Never a whole /etc/ssl or /etc/pki: private keys lie beside the public parts. */
const ETC_WITH_NETWORK = [
  '/etc/resolv.conf',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/ca-certificates/extracted',
  '/etc/pki/ca-trust/extracted',
  '/etc/pki/tls/certs',
];

const WORLD_READABLE = 0o004;
const ANY_WRITE = 0o222;

/** Reads what `sandboxOptions` depends on. Links are resolved here, so that bwrap binds what was looked at. */
export function readHostFacts(network: 'none' | 'host'): HostFacts {
  const etc = network === 'host' ? [...ETC_ALWAYS, ...ETC_WITH_NETWORK] : ETC_ALWAYS;
  return {
    topFolders: TOP_FOLDERS.filter((path) => existsSync(path)).map((path) => ({
      path,
      linkTarget: lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null,
    })),
    // Only root could write there, or read what is hidden; fewer mounts open faster.
    proc: process.getuid?.() === 0 ? machineWideProc() : { readOnly: [], hidden: [] },
    etc: etc.filter((path) => existsSync(path)).map((path) => ({ source: realpathSync(path), target: path })),
  };
}

/**
 * What in /proc is the machine's: folders such as sys, files that can be written, and files that only root may read.
 * Numbers and links (self, net, mounts) belong to processes.
 */
function machineWideProc(): HostFacts['proc'] {
  const readOnly: string[] = [];
  const hidden: string[] = [];
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name)) continue;
    const path = `/proc/${name}`;
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry?.isDirectory()) readOnly.push(path);
    else if (entry?.isFile() && (entry.mode & WORLD_READABLE) === 0) hidden.push(path);
    else if (entry?.isFile() && (entry.mode & ANY_WRITE) !== 0) readOnly.push(path);
  }
  return { readOnly, hidden };
}

import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
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

/** Reads what `sandboxOptions` depends on. Links are resolved here, so that bwrap binds what was looked at. */
export function readHostFacts(network: 'none' | 'host'): HostFacts {
  const etc = network === 'host' ? [...ETC_ALWAYS, ...ETC_WITH_NETWORK] : ETC_ALWAYS;
  return {
    topFolders: TOP_FOLDERS.filter((path) => existsSync(path)).map((path) => ({
      path,
      linkTarget: lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null,
    })),
    etc: etc.filter((path) => existsSync(path)).map((path) => ({ source: realpathSync(path), target: path })),
  };
}

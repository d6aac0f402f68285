import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Identity {
  /** Paths of PEM files. */
  readonly certificate: string;
  readonly key: string;
}

/** A certificate authority of its own in `folder`, made with openssl. */
export class Authority {
  readonly certificate: string;
  readonly #folder: string;
  readonly #key: string;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.certificate = join(folder, `${name}.pem`);
    this.#key = join(folder, `${name}.key`);
    openssl([
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
      ...['-subj', `/CN=${name}`, '-days', '2', '-keyout', this.#key, '-out', this.certificate],
    ]);
  }

  /** For a server's name, or for a client; `expired`: yesterday. */
  issue(name: string, expired = false): Identity {
    const base = join(this.#folder, `${name}-${expired}`);
    const [certificate, key, request, extensions] = ['pem', 'key', 'csr', 'ext'].map(
      (end) => `${base}.${end}`,
    ) as [string, string, string, string];
    writeFileSync(extensions, `subjectAltName=DNS:${name}\n`);
    openssl([
      ...['req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
      ...['-subj', `/CN=${name}`, '-keyout', key, '-out', request],
    ]);
    openssl([
      ...['x509', '-req', '-in', request, '-CA', this.certificate, '-CAkey', this.#key, '-CAcreateserial'],
      ...['-days', expired ? '-1' : '2', '-extfile', extensions, '-out', certificate],
    ]);
    return { certificate, key };
  }
}

export function read({ certificate, key }: Identity): { readonly cert: Buffer; readonly key: Buffer } {
  return { cert: readFileSync(certificate), key: readFileSync(key) };
}

/** Without it the tests of TLS cannot run. */
export function hasOpenssl(): boolean {
  return spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0;
}

function openssl(args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

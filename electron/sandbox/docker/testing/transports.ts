import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';

/** A daemon's socket behind TLS, which lets those in who have a certificate of its authority. */
export class TlsFront {
  readonly address: string;
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.address = `tcp://localhost:${port}`;
  }

  /** `folder` holds the certificates, as `makeCertificates` makes them. */
  static async start(target: string, folder: string): Promise<TlsFront> {
    const [ca, cert, key] = ['ca.pem', 'server-cert.pem', 'server-key.pem'].map((name) =>
      readFileSync(join(folder, name)),
    );
    const options = { ca, cert, key, requestCert: true, rejectUnauthorized: true } as const;
    const server = createServer(options as object, (near) => {
      const far = connect(target);
      near.pipe(far).pipe(near);
      near.on('error', () => far.destroy());
      far.on('error', () => near.destroy());
    });
    server.listen(0, 'localhost');
    await once(server, 'listening');
    return new TlsFront(server, (server.address() as { port: number }).port);
  }

  close(): void {
    this.#server.close();
  }
}

/** An authority, and what it has signed: a server's certificate for localhost, and a client's. */
export function makeCertificates(folder: string): void {
  mkdirSync(folder);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca-key.pem',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Test authority',
    '-days',
    '2',
  );
  for (const [name, subject] of [
    ['server-', '/CN=localhost'],
    ['', '/CN=client'],
  ]) {
    writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost\n');
    openssl('req', ...key, '-keyout', `${name}key.pem`, '-out', 'request.pem', '-subj', subject ?? '');
    const signed = [
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca-key.pem',
      '-CAcreateserial',
      '-extfile',
      'names',
      '-days',
      '2',
    ];
    openssl('x509', '-req', '-in', 'request.pem', ...signed, '-out', `${name}cert.pem`);
  }
}

import { realpathSync } from 'node:fs';
import net from 'node:net';
import { basename, dirname, join, normalize } from 'node:path';
import tls from 'node:tls';
import type { Result } from '../../../shared/result.ts';
import type { SmolvmSettings } from '../../../shared/settings/engine-settings.ts';
import { fieldName } from '../../../shared/settings/field-names.ts';
import {
  parseSmolvmAddress,
  type SmolvmAddress,
  smolvmAddressProblem,
} from '../../../shared/settings/smolvm-address.ts';
import { isLoopback } from '../../../shared/settings/symbiont-address.ts';
import { readPlainFile } from '../../plain-file.ts';
import { SmolvmFailure } from './failure.ts';
import { SMOLVM_BYTES } from './limits.ts';

/** Who keeps the tokens: null where there is none for this profile at this address. */
export interface TokenSource {
  read(profileId: string, address: string): Result<string | null, string>;
}

/** A smolvm server as one profile reaches it. */
export interface Endpoint {
  /** For a person to read. */
  readonly address: string;
  /**
   * Which server it is, as an address. The names of this machine are one, and a socket is where its path leads. Two servers on
   * one port, of 127.0.0.1 and of ::1, count as one. One server that listens at a socket and a port, or whose host has several
   * names, counts as several: nothing that it says tells servers apart.
   */
  readonly server: string;
  /** Scheme and authority of its URLs; a socket's are of `localhost`. */
  readonly origin: string;
  /** What every request carries. */
  readonly headers: Readonly<Record<string, string>>;
  /** A new connection, not yet made. It fails with an error when it is not accepted within `connectMs` milliseconds. */
  connect(connectMs: number): net.Socket;
}

const CERTIFICATE_AND_KEY = `${fieldName('smolvm.clientCertificate')} and ${fieldName('smolvm.clientKey')}`;

/** Rule 13. Throws SmolvmFailure `not-configured`, naming the field, before anything is connected to. */
export function endpointOf(settings: SmolvmSettings, profileId: string, tokens: TokenSource): Endpoint {
  const problem = smolvmAddressProblem(settings.address);
  if (problem !== null) throw notConfigured(`${fieldName('smolvm.address')} ${problem}.`);
  const address = parseSmolvmAddress(settings.address);
  const security = securityOf(settings, address);
  const token = tokens.read(profileId, settings.address);
  if (!token.ok) throw notConfigured(token.error);
  if (address.kind === 'https' && token.value === null && settings.clientCertificate === null) {
    throw notConfigured(
      `${fieldName('smolvm.address')} is https, which needs a token or a client certificate: save the token, or name ${CERTIFICATE_AND_KEY}.`,
    );
  }
  const origin = originOf(address);
  return {
    address: address.kind === 'unix' ? `unix://${address.path}` : origin,
    server: serverOf(address),
    origin,
    headers: {
      Host: new URL(origin).host,
      ...(token.value !== null && { Authorization: `Bearer ${token.value}` }),
    },
    connect: (connectMs) => withConnectTime(connectionTo(address, security), connectMs),
  };
}

/** Of https addresses; checked here, so that a wrong file is a mistake of the profile and not of the network. */
function securityOf(settings: SmolvmSettings, { kind }: SmolvmAddress): tls.SecureContext | undefined {
  const { certificateAuthority, clientCertificate, clientKey } = settings;
  const named = certificateAuthority ?? clientCertificate ?? clientKey;
  if (kind !== 'https') {
    if (named === null) return undefined;
    throw notConfigured(`${fieldName('smolvm.address')} must be https where certificates are named.`);
  }
  if ((clientCertificate === null) !== (clientKey === null)) {
    throw notConfigured(`${CERTIFICATE_AND_KEY} must be named together.`);
  }
  const files = {
    ...(certificateAuthority !== null && { ca: pem('certificateAuthority', certificateAuthority) }),
    ...(clientCertificate !== null && { cert: pem('clientCertificate', clientCertificate) }),
    ...(clientKey !== null && { key: pem('clientKey', clientKey) }),
  };
  try {
    return tls.createSecureContext(files);
  } catch {
    throw notConfigured(
      `${fieldName('smolvm.certificateAuthority')}, ${CERTIFICATE_AND_KEY} must be PEM files, the key without a passphrase and of that certificate.`,
    );
  }
}

function pem(field: 'certificateAuthority' | 'clientCertificate' | 'clientKey', path: string): Buffer {
  try {
    return readPlainFile(path, SMOLVM_BYTES.pem);
  } catch (error) {
    throw notConfigured(`${fieldName(`smolvm.${field}`)} cannot be read: ${(error as Error).message}.`);
  }
}

function originOf(address: SmolvmAddress): string {
  return address.kind === 'unix'
    ? 'http://localhost'
    : httpOrigin(address.kind, hostOf(address), address.port);
}

function serverOf(address: SmolvmAddress): string {
  if (address.kind === 'unix') return `unix://${realSocket(address.path)}`;
  const host = hostOf(address);
  return httpOrigin(address.kind, isLoopback(host) ? '127.0.0.1' : host, address.port);
}

function hostOf({ hostname }: Exclude<SmolvmAddress, { kind: 'unix' }>): string {
  return net.isIPv6(hostname) ? `[${hostname}]` : hostname;
}

function httpOrigin(scheme: 'http' | 'https', host: string, port: number): string {
  return new URL(`${scheme}://${host}:${port}`).origin;
}

/** A socket goes with its server, its folder need not. */
function realSocket(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path));
    } catch {
      return normalize(path);
    }
  }
}

function connectionTo(address: SmolvmAddress, secureContext: tls.SecureContext | undefined): net.Socket {
  if (address.kind === 'unix') return net.connect({ path: address.path });
  const { hostname: host, port } = address;
  if (address.kind === 'http') return net.connect({ host, port });
  const servername = net.isIP(host) === 0 ? host : '';
  return tls.connect({ host, port, servername, secureContext, rejectUnauthorized: true });
}

function withConnectTime(socket: net.Socket, connectMs: number): net.Socket {
  const timer = setTimeout(() => {
    socket.destroy(Object.assign(new Error('connecting took too long'), { code: 'ETIMEDOUT' }));
  }, connectMs);
  socket.once('connect', () => clearTimeout(timer));
  socket.once('close', () => clearTimeout(timer));
  return socket;
}

function notConfigured(message: string): SmolvmFailure {
  return new SmolvmFailure('not-configured', message);
}

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ENOENT: 'there is no such socket',
  EACCES: 'this user may not open the socket',
  ENOTSOCK: 'it is not a socket',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ETIMEDOUT: 'it does not accept the connection in time',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  HPE_HEADER_OVERFLOW: 'the head of its answer is too large',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not from a known authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not from a known authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not from a known authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not from a known authority',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it demands a client certificate',
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: 'it does not accept the client certificate',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'it does not accept the client certificate',
};

/** Why a connection failed, in words of this project alone: a remote text is never repeated. */
export function causeInWords(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return CAUSES[code] ?? (/^[A-Z0-9_]{1,64}$/.test(code) ? code : 'the connection failed');
}

import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fieldName } from '../../../shared/settings/field-names.ts';
import type { EngineFix } from '../../../shared/terminal/engine-status.ts';
import { readPlainFile } from '../../plain-file.ts';
import { EngineError } from '../engine.ts';
import { inQuotes } from '../in-quotes.ts';
import { CurableError } from './curable-error.ts';

/** Where a Docker Engine API answers. `address` is how people and ledgers name it. */
export type DockerEndpoint =
  | { readonly kind: 'unix'; readonly address: string; readonly path: string }
  | {
      readonly kind: 'tcp';
      readonly address: string;
      readonly host: string;
      readonly port: number;
      /** The folder that `tls` was read from. */
      readonly certificates: string;
      readonly tls: { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer };
    }
  | {
      readonly kind: 'ssh';
      readonly address: string;
      readonly destination: string;
      /** Null takes what the person's ssh configuration says. */
      readonly port: number | null;
    };

/** What a profile says of its endpoint. */
export interface EndpointSettings {
  /** Empty: DOCKER_HOST, else the first socket that is there. */
  readonly endpoint: string;
  readonly certificates: string | null;
}

/** The engines that have an endpoint. */
type Section = 'container' | 'attach';

type Environment = Readonly<Record<string, string | undefined>>;

/** Bytes of one PEM file. */
const PEM_MAX_BYTES = 256 * 1024;

/** A host name, an IPv4 address, or an IPv6 address in brackets. */
const HOST = String.raw`(\[[0-9a-fA-F:.]+\]|[a-zA-Z0-9][a-zA-Z0-9._-]*)`;
const TCP = new RegExp(`^tcp://${HOST}:([0-9]{1,5})/?$`);
const SSH = new RegExp(`^ssh://(?:([a-zA-Z0-9_][a-zA-Z0-9._-]*)@)?${HOST}(?::([0-9]{1,5}))?/?$`);

/** Only sockets of this machine mean that the daemon sees the same files. */
export function isLocal(endpoint: DockerEndpoint): boolean {
  return endpoint.kind === 'unix';
}

/** What a person types for a command to reach the daemon at an endpoint, and no other that a shell would find. */
export function commandAt(endpoint: DockerEndpoint, product: 'Docker' | 'Podman', command: string): string {
  const program = product.toLowerCase();
  if (endpoint.kind === 'ssh') return `ssh ${sshTarget(endpoint)} ${program} ${command}`;
  const address = asArgument(endpoint.address);
  if (endpoint.kind === 'tcp') {
    // Podman's own speaks no TLS, and Docker's to both.
    const pem = (name: string) => asArgument(join(endpoint.certificates, name));
    const tls = `--tlsverify --tlscacert ${pem('ca.pem')} --tlscert ${pem('cert.pem')} --tlskey ${pem('key.pem')}`;
    return `docker ${tls} -H ${address} ${command}`;
  }
  if (product === 'Podman') return `podman --url ${address} ${command}`;
  // Also for the standard socket: a shell may have a context or DOCKER_HOST, which lead to another daemon.
  return `docker -H ${address} ${command}`;
}

/** An ssh endpoint as arguments of ssh. */
export function sshTarget({ destination, port }: Extract<DockerEndpoint, { kind: 'ssh' }>): string {
  return port === null ? destination : `-p ${port} ${destination}`;
}

function asArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : inQuotes(text);
}

/**
 * The endpoint that a profile means. `section` names its part of the profile in errors. Throws EngineError:
 * `profile-invalid` for an address that is wrong, `engine-unavailable` where none was given and none is found.
 */
export function resolveEndpoint(
  settings: EndpointSettings,
  section: Section,
  environment: Environment = process.env,
): DockerEndpoint {
  if (settings.endpoint !== '') {
    return parseEndpoint(settings.endpoint, settings.certificates, fieldName(`${section}.endpoint`), section);
  }
  const host = environment['DOCKER_HOST'];
  if (host) {
    const folder = settings.certificates ?? environment['DOCKER_CERT_PATH'] ?? join(homedir(), '.docker');
    return parseEndpoint(host, folder, 'DOCKER_HOST', section);
  }
  const candidates = standardSockets(environment);
  const path = candidates.find(isSocket);
  if (path !== undefined) return { kind: 'unix', address: `unix://${path}`, path };
  throw new CurableError(
    'engine-unavailable',
    `No Docker or Podman answers on this machine: there is no socket at ${candidates.join(', ')}.`,
    [
      ...startFixes(environment),
      {
        text: 'Another machine: name it in the profile as Docker endpoint, such as ssh://user@host.',
        command: null,
      },
    ],
  );
}

/** How to get a daemon of this machine that listens. */
export function startFixes(environment: Environment = process.env): EngineFix[] {
  return [
    { text: 'Docker:', command: 'sudo systemctl start docker' },
    { text: 'Podman:', command: startPodman(environment) },
  ];
}

/** Starts Podman's service where `standardSockets` looks for it: of this person where there is such a place, else the machine's. */
export function startPodman(environment: Environment = process.env, uid = process.getuid?.()): string {
  const isPersonal = Boolean(environment['XDG_RUNTIME_DIR']) && uid !== 0;
  return `${isPersonal ? 'systemctl --user' : 'sudo systemctl'} start podman.socket`;
}

/** Where Docker and Podman listen unless told otherwise. */
function standardSockets(environment: Environment): string[] {
  const runtime = environment['XDG_RUNTIME_DIR'];
  return [
    '/var/run/docker.sock',
    ...(runtime ? [join(runtime, 'docker.sock')] : []),
    '/run/podman/podman.sock',
    ...(runtime ? [join(runtime, 'podman/podman.sock')] : []),
    ...(process.platform === 'darwin' ? [join(homedir(), '.docker/run/docker.sock')] : []),
  ];
}

function parseEndpoint(
  address: string,
  certificates: string | null,
  field: string,
  section: Section,
): DockerEndpoint {
  if (address.startsWith('unix:///')) {
    const path = address.slice('unix://'.length);
    // sun_path of unix(7) has 108 bytes; a longer path would be cut.
    if (/\p{Cc}/u.test(path) || Buffer.byteLength(path) > 107) {
      throw invalid(`${field} must name a socket by a path of at most 107 bytes without control characters.`);
    }
    return { kind: 'unix', address, path };
  }
  const tcp = TCP.exec(address);
  if (tcp) {
    const folder = certificates;
    if (folder === null) {
      throw invalid(
        `${fieldName(`${section}.certificates`)} must name a folder with ca.pem, cert.pem and key.pem: ${address} is spoken to with TLS only.`,
      );
    }
    const tls = readCertificates(folder, section);
    const [host, port] = [tcp[1] ?? '', portOf(tcp[2], field)];
    return { kind: 'tcp', address, host: withoutBrackets(host), port, certificates: folder, tls };
  }
  const ssh = SSH.exec(address);
  if (ssh) {
    const [, user, host = ''] = ssh;
    const name = withoutBrackets(host);
    const destination = user === undefined ? name : `${user}@${name}`;
    return {
      kind: 'ssh',
      address,
      destination,
      port: ssh[3] === undefined ? null : portOf(ssh[3], field),
    };
  }
  throw invalid(
    `${field} must be unix:///path, tcp://host:port or ssh://user@host, and is ${JSON.stringify(address.slice(0, 200))}.`,
  );
}

function portOf(text: string | undefined, field: string): number {
  const port = Number(text);
  if (port < 1 || port > 65_535) throw invalid(`${field} must have a port from 1 to 65535.`);
  return port;
}

function withoutBrackets(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}

function readCertificates(folder: string, section: Section) {
  const read = (name: string): Buffer => {
    const path = join(folder, name);
    try {
      return readPlainFile(path, PEM_MAX_BYTES);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw invalid(`${fieldName(`${section}.certificates`)}: ${path} cannot be read: ${why}.`);
    }
  };
  return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
}

function isSocket(path: string): boolean {
  try {
    return statSync(path).isSocket();
  } catch {
    return false;
  }
}

function invalid(message: string): EngineError {
  return new EngineError('profile-invalid', message);
}

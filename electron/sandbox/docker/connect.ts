import { spawn } from 'node:child_process';
import { Agent, type ClientRequest, type ClientRequestArgs, type IncomingMessage } from 'node:http';
import { connect as connectSocket, type Socket } from 'node:net';
import { Duplex, PassThrough } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { DockerEndpoint } from './endpoint.ts';

/** Milliseconds between the kernel's own questions on a silent TCP connection: a dead one is found within minutes (B27). */
const KEEP_ALIVE_MS = 15_000;

/** Characters of what ssh said that an error repeats. */
const SSH_WORDS_MAX = 400;

/**
 * A new connection on which HTTP is spoken. TLS verifies the daemon and shows the client's certificate. ssh runs the
 * person's own, which must know the host already and ask nothing.
 */
export function connectTo(endpoint: DockerEndpoint): Duplex {
  switch (endpoint.kind) {
    case 'unix':
      return connectSocket(endpoint.path);
    case 'tcp': {
      const { host, port, tls } = endpoint;
      const socket = connectTls({ host, port, ...tls, minVersion: 'TLSv1.2', rejectUnauthorized: true });
      socket.setKeepAlive(true, KEEP_ALIVE_MS);
      return socket;
    }
    case 'ssh':
      return connectSsh(sshArguments(endpoint));
  }
}

/**
 * What is run there, whatever the person's shell there is: the way to a daemon that its own programs know. One that is there
 * and fails is the answer: its input may be used up.
 */
const REMOTE_COMMAND = [
  'command -v docker >/dev/null && exec docker system dial-stdio',
  'command -v podman >/dev/null && exec podman system dial-stdio',
  'echo "neither docker nor podman is there" >&2',
  'exit 127',
].join('; ');

/** Exported for its test: nothing of the address may become an option of ssh or a word for a remote shell. */
export function sshArguments({ destination, port }: Extract<DockerEndpoint, { kind: 'ssh' }>): string[] {
  const options = [
    'BatchMode=yes',
    'StrictHostKeyChecking=yes',
    'ConnectTimeout=10',
    // A machine that is silent is given up within 30 s (B27).
    'ServerAliveInterval=10',
    'ServerAliveCountMax=2',
    'ForwardAgent=no',
    'ForwardX11=no',
    'ClearAllForwardings=yes',
    'PermitLocalCommand=no',
    // Where the person shares connections: the one that others use does not end with the process that made it.
    'ControlPersist=60',
  ];
  return [
    '-T',
    ...options.flatMap((option) => ['-o', option]),
    ...(port === null ? [] : ['-p', String(port)]),
    ...['--', destination, `sh -c '${REMOTE_COMMAND}'`],
  ];
}

function connectSsh(args: readonly string[]): Duplex {
  const ssh = spawn('ssh', args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let words = '';
  ssh.stderr.on('data', (chunk: Buffer) => {
    words = `${words}${chunk.toString('utf8')}`.slice(-SSH_WORDS_MAX);
  });
  // Both sides end only when ssh has, so that why it ended comes first.
  const [input, output] = [new PassThrough(), ssh.stdout.pipe(new PassThrough(), { end: false })];
  input.pipe(ssh.stdin);
  ssh.stdin.on('error', () => {});
  const stream = Duplex.from({ readable: output, writable: input });
  ssh.on('error', (error) => stream.destroy(new Error(`ssh could not be started: ${error.message}`)));
  ssh.on('close', (code, signal) => {
    if (code === 0) {
      output.end();
      return;
    }
    const said = words.replace(/\p{Cc}+/gu, ' ').trim();
    stream.destroy(new Error(`ssh ended with ${code ?? signal}: ${said || 'it gave no reason'}`));
  });
  stream.on('close', () => ssh.kill());
  return stream;
}

/** Bytes of an answer that is none of what was asked for, however long that may be. */
const REFUSAL_MAX_BYTES = 1024 * 1024;

declare module 'node:http' {
  interface Agent {
    /** What every request does first with its agent. Not in Node's types. */
    addRequest(request: ClientRequest, options: ClientRequestArgs): void;
  }
}

/**
 * Connections for calls that are answered once: one each, bounded in what it may bring. An answer leads nowhere else: dockerode
 * would follow a redirect to any address, on a connection of no bounds, and an error there would end the host.
 */
export class CallAgent extends Agent {
  readonly #endpoint: DockerEndpoint;
  readonly #maxBytes: number;

  constructor(endpoint: DockerEndpoint, maxBytes: number) {
    super({ keepAlive: false });
    this.#endpoint = endpoint;
    this.#maxBytes = maxBytes;
  }

  override addRequest(request: ClientRequest, options: ClientRequestArgs): void {
    // Before anybody else sees the answer.
    request.prependListener('response', (answer) => {
      delete answer.headers.location;
      if (answer.statusCode !== 200) boundRefusal(answer);
    });
    super.addRequest(request, options);
  }

  override createConnection(_options: ClientRequestArgs): Duplex {
    const connection = connectTo(this.#endpoint) as Socket;
    let bytes = 0;
    connection.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > this.#maxBytes)
        connection.destroy(new Error(`the answer has more than ${this.#maxBytes} bytes`));
    });
    return connection;
  }
}

function boundRefusal(answer: IncomingMessage): void {
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > REFUSAL_MAX_BYTES)
      answer.socket.destroy(new Error(`the refusal has more than ${REFUSAL_MAX_BYTES} bytes`));
  });
}

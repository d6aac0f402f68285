import { request } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connectTo } from './connect.ts';
import { asDaemonError, cleanWords, DaemonError } from './daemon-error.ts';
import type { DockerEndpoint } from './endpoint.ts';

/** Milliseconds until the daemon must have switched to the raw stream. */
const UPGRADE_MS = 10_000;

/** Bytes of a refusal that are read. */
const REFUSAL_MAX_BYTES = 8 * 1024;

export interface StreamRequest {
  readonly endpoint: DockerEndpoint;
  /** With version and query. */
  readonly path: string;
  readonly body?: object;
  readonly what: string;
  readonly signal?: AbortSignal;
  /** Milliseconds, instead of UPGRADE_MS. */
  readonly limitMs?: number;
}

/**
 * The raw stream of a terminal: what a daemon gives after an HTTP upgrade. With a TTY nothing is framed (B07), so every byte is
 * passed on; those that came together with the answer are the first ones. Not by dockerode: it sends its options as a body,
 * which Podman types into the program.
 */
export function openStream(asked: StreamRequest): Promise<Duplex> {
  const { endpoint, path, what, signal, limitMs = UPGRADE_MS } = asked;
  const body = asked.body === undefined ? '' : JSON.stringify(asked.body);
  const abort = AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(limitMs)]);
  return new Promise<Duplex>((resolve, reject) => {
    abort.throwIfAborted();
    const upgrade = request({
      method: 'POST',
      path,
      headers: {
        ...{ Host: 'docker', Connection: 'Upgrade', Upgrade: 'tcp' },
        ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
        'Content-Length': Buffer.byteLength(body),
      },
      createConnection: () => connectTo(endpoint) as Socket,
    });
    const giveUp = () => upgrade.destroy(abort.reason);
    abort.addEventListener('abort', giveUp, { once: true });
    upgrade.on('close', () => abort.removeEventListener('abort', giveUp));
    upgrade.on('upgrade', (_answer, stream, head) => {
      abort.removeEventListener('abort', giveUp);
      stream.pause();
      if (head.length > 0) stream.unshift(head);
      resolve(stream);
    });
    upgrade.on('response', (answer) => {
      let words = '';
      const { socket } = answer;
      answer.on('data', (chunk: Buffer) => {
        words += chunk.toString('utf8');
        if (words.length > REFUSAL_MAX_BYTES) upgrade.destroy();
      });
      answer.on('close', () => {
        // Node would keep the connection for another request, which nobody makes.
        socket.destroy();
        reject(
          new DaemonError(
            answer.statusCode ?? null,
            `${endpoint.address} did not ${what}: ${refusal(words)}`,
          ),
        );
      });
    });
    upgrade.on('error', reject);
    upgrade.end(body);
  }).catch((error: unknown) => {
    if (signal?.aborted) throw signal.reason;
    if (abort.aborted)
      throw new DaemonError(null, `${endpoint.address} did not ${what} within ${limitMs} ms.`);
    throw asDaemonError(error, what, endpoint.address);
  });
}

/** Daemons answer `{"message": "…"}`, or plain words. */
function refusal(words: string): string {
  try {
    const { message } = JSON.parse(words) as { message?: unknown };
    if (typeof message === 'string') return cleanWords(message);
  } catch {
    // Plain words then.
  }
  return cleanWords(words) || 'it gave no reason';
}

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { causeInWords, type Endpoint } from './endpoint.ts';
import { SmolvmFailure } from './failure.ts';
import { SMOLVM_BYTES } from './limits.ts';

export interface RestRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** Milliseconds from now until the last byte of the answer. */
  readonly limitMs: number;
  readonly connectMs: number;
  readonly signal: AbortSignal;
}

export interface RestAnswer {
  readonly status: number;
  /** Undefined for what is no JSON. */
  readonly json: unknown;
}

/**
 * One request on a connection of its own. The time limit is absolute: a server that drips does not stretch it. Head and body
 * are bounded, no redirect is followed, nothing is tried twice. Rejects with SmolvmFailure `unreachable` before the request
 * was on its way, and `uncertain` after that.
 */
export async function restRequest(endpoint: Endpoint, request: RestRequest): Promise<RestAnswer> {
  const { method, path, body, limitMs, connectMs, signal } = request;
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  let sent = false;
  try {
    const socket = endpoint.connect(connectMs);
    const ready = 'encrypted' in socket ? 'secureConnect' : 'connect';
    socket.once(ready, () => {
      sent = true;
    });
    const response = await answerOf({ endpoint, method, path, body, signal: deadline, socket });
    return { status: response.statusCode ?? 0, json: parseJson(await boundedText(response)) };
  } catch (error) {
    const words = deadline.aborted ? `no answer within ${limitMs} ms` : wordsOf(error);
    throw new SmolvmFailure(
      sent ? 'uncertain' : 'unreachable',
      `smolvm at ${endpoint.address} does not answer: ${signal.aborted ? 'Airlock stopped waiting' : words}.`,
    );
  }
}

type Sending = Pick<RestRequest, 'method' | 'path' | 'signal'> & {
  readonly body: object | undefined;
  readonly endpoint: Endpoint;
  readonly socket: ReturnType<Endpoint['connect']>;
};

function answerOf({ endpoint, method, path, body, signal, socket }: Sending): Promise<IncomingMessage> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        method,
        path,
        headers: {
          ...endpoint.headers,
          Accept: 'application/json',
          Connection: 'close',
          ...(text !== undefined && {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(text),
          }),
        },
        createConnection: () => socket,
        maxHeaderSize: SMOLVM_BYTES.head,
        signal,
      },
      resolve,
    );
    request.on('error', reject);
    request.end(text);
  });
}

/** Rejects, and ends the connection, when there is more than SMOLVM_BYTES.body. */
async function boundedText(response: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > SMOLVM_BYTES.body) throw new Error(TOO_LARGE);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const TOO_LARGE = 'its answer is too large';

function wordsOf(error: unknown): string {
  return error instanceof Error && error.message === TOO_LARGE ? TOO_LARGE : causeInWords(error);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

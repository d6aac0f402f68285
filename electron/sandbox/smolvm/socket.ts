import type { IncomingMessage } from 'node:http';
import WebSocket from 'ws';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import { type Ending, uncertain } from './ending.ts';
import { causeInWords, type Endpoint } from './endpoint.ts';
import { SmolvmFailure } from './failure.ts';
import { SMOLVM_BYTES, SMOLVM_CHUNKS_MAX } from './limits.ts';

export interface TerminalRequest {
  readonly machine: string;
  readonly program: string;
  readonly size: TerminalSize;
  /** Bytes of one message. */
  readonly maxBufferBytes: number;
  /** Milliseconds until a socket is destroyed whose other side does not end it. */
  readonly closeMs: number;
  /** Milliseconds. */
  readonly connectMs: number;
}

/** Of ws 8.23, and not in its types yet. */
interface NewerOptions {
  readonly closeTimeout: number;
}

/**
 * Begins the one upgrade of a terminal. Every listener has to be set before this turn of the event loop ends: frames can come
 * with the answer. ws's own time-outs are not used: they start anew with every byte that drips in.
 */
export function openSocket(endpoint: Endpoint, request: TerminalRequest): WebSocket {
  const { machine, program, size, maxBufferBytes, closeMs, connectMs } = request;
  const query = new URLSearchParams({ cmd: program, cols: String(size.cols), rows: String(size.rows) });
  const path = `/api/v1/machines/${encodeURIComponent(machine)}/exec/interactive?${query}`;
  const options: WebSocket.ClientOptions & NewerOptions & { maxHeaderSize: number } = {
    headers: { ...endpoint.headers },
    createConnection: () => endpoint.connect(connectMs),
    perMessageDeflate: false,
    followRedirects: false,
    maxPayload: Math.min(SMOLVM_BYTES.frame, maxBufferBytes),
    maxFragments: SMOLVM_CHUNKS_MAX,
    maxBufferedChunks: SMOLVM_CHUNKS_MAX,
    maxHeaderSize: SMOLVM_BYTES.head,
    closeTimeout: closeMs,
  };
  return new WebSocket(`${endpoint.origin.replace(/^http/, 'ws')}${path}`, options);
}

/**
 * Resolves when the terminal is open: that says nothing about its program yet. Rejects with SmolvmFailure once `signal` is
 * aborted, and for every answer but a right 101 (rule 2): then the connection is gone, and whether the machine was touched is
 * not known.
 */
export function handshake(socket: WebSocket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (failure: SmolvmFailure) => {
      reject(failure);
      socket.terminate();
    };
    const abort = () => fail(new SmolvmFailure('uncertain', wordsOfAbort(signal)));
    signal.addEventListener('abort', abort, { once: true });
    const settled = () => signal.removeEventListener('abort', abort);
    socket.once('open', () => {
      settled();
      resolve();
    });
    // What else comes after the first failure is its consequence. The listener stays: an error that nobody hears ends the host.
    socket.on('error', (error) => {
      settled();
      reject(new SmolvmFailure('uncertain', `The terminal was not opened: ${causeInWords(error)}.`));
    });
    socket.once('unexpected-response', (request, response) => {
      settled();
      fail(failureOf(response));
      request.destroy();
    });
    if (signal.aborted) abort();
  });
}

/** What an error of an open socket means (rule 3). ws has them of frames alone: a lost connection is no error to it, but a close. */
export function endingOf(error: Error): Ending {
  const code = 'code' in error ? String(error.code) : '';
  if (OUTPUT_LIMIT.has(code)) return uncertain('output_limit', 'smolvm sent more at once than is taken.');
  return uncertain('protocol', 'smolvm broke the WebSocket protocol.');
}

const OUTPUT_LIMIT = new Set([
  'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH',
  'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH',
  'WS_ERR_TOO_MANY_BUFFERED_PARTS',
]);

function failureOf({ statusCode }: IncomingMessage): SmolvmFailure {
  if (statusCode === 401 || statusCode === 403) {
    return new SmolvmFailure(
      'authentication',
      'The terminal was not opened: the server does not accept the token or certificate for it.',
    );
  }
  return new SmolvmFailure(
    'uncertain',
    `The terminal was not opened: smolvm answered with status ${statusCode}.`,
  );
}

export function wordsOfAbort(signal: AbortSignal): string {
  const late = signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
  return late ? 'The terminal was not opened in time.' : 'The opening was cancelled.';
}

import { request } from 'node:http';

export interface FirecrackerApi {
  /** Path of its Unix socket. */
  readonly socket: string;
  readonly signal: AbortSignal;
}

/** Milliseconds for one call; Firecracker needs less than one, except to start a machine. */
const CALL_MS = 10_000;

/** Bytes of an answer that are read. */
const ANSWER_MAX_BYTES = 16 * 1024;

/** One PUT of the API (firecracker.yaml of 1.8 and later). Rejects, in words, on every answer but 204. */
export async function callFirecracker(api: FirecrackerApi, path: string, body: object): Promise<void> {
  const text = JSON.stringify(body);
  const signal = AbortSignal.any([api.signal, AbortSignal.timeout(CALL_MS)]);
  const { status, answer } = await put(api.socket, path, text, signal);
  if (status === 204) return;
  throw new Error(`Firecracker refused ${path} (${status}): ${faultOf(answer)}`);
}

function put(socketPath: string, path: string, body: string, signal: AbortSignal) {
  return new Promise<{ status: number; answer: string }>((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const call = request({ socketPath, path, method: 'PUT', headers, signal, agent: false }, (response) => {
      let answer = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        answer += chunk;
        if (answer.length > ANSWER_MAX_BYTES) response.destroy(new Error('its answer has no end'));
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, answer }));
    });
    call.on('error', (error) => reject(new Error(`Firecracker did not answer ${path}: ${error.message}`)));
    call.end(body);
  });
}

function faultOf(answer: string): string {
  let fault: unknown;
  try {
    fault = (JSON.parse(answer) as { fault_message?: unknown }).fault_message;
  } catch {
    fault = undefined;
  }
  const words = typeof fault === 'string' ? fault : answer;
  return (
    words
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 300) || 'no reason given'
  );
}

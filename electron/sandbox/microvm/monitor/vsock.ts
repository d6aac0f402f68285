import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two tries, while nobody in the guest listens yet. */
const RETRY_MS = 50;

/** Bytes of the monitor's answer, of the form "OK 1073741824\n". */
const ANSWER_MAX_BYTES = 32;

export interface VsockDial {
  /** The monitor's Unix socket. */
  readonly path: string;
  /** The port in the guest. */
  readonly port: number;
  /** True when nobody will ever answer. */
  readonly ended: () => boolean;
}

/**
 * A connection to a port of the guest (docs/vsock.md of Firecracker, "host-initiated"): `CONNECT port\n`, then `OK number\n`,
 * then bytes. The monitor closes the connection while nobody listens there; it is tried again. Rejects when `ended`.
 */
export async function dialVsock({ path, port, ended }: VsockDial): Promise<Socket> {
  for (;;) {
    const socket = await dialOnce(path, port, ended);
    if (socket !== null) return socket;
    if (ended()) throw new Error(`Nobody answered on port ${port} of the machine.`);
    await delay(RETRY_MS);
  }
}

async function dialOnce(path: string, port: number, ended: () => boolean): Promise<Socket | null> {
  const socket = connect(path);
  socket.on('error', () => {});
  const closed = new Promise<null>((resolve) => socket.once('close', () => resolve(null)));
  const watch = setInterval(() => ended() && socket.destroy(), RETRY_MS);
  try {
    socket.write(`CONNECT ${port}\n`);
    const answer = await Promise.race([readLine(socket), closed]);
    if (answer === null) return null;
    if (/^OK \d+$/.test(answer)) return socket;
    socket.destroy();
    throw new Error(`The monitor answered "${answer.replace(/[^ -~]/g, '?')}" instead of OK.`);
  } finally {
    clearInterval(watch);
  }
}

/** The first line, without its end; what comes after it stays in the stream. */
function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let seen = Buffer.alloc(0);
    const read = () => {
      for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) {
        seen = Buffer.concat([seen, chunk]);
        const end = seen.indexOf('\n');
        if (end < 0 && seen.length <= ANSWER_MAX_BYTES) continue;
        socket.off('readable', read);
        const rest = end < 0 ? Buffer.alloc(0) : seen.subarray(end + 1);
        if (rest.length > 0) socket.unshift(rest);
        resolve(seen.toString('latin1', 0, end < 0 ? ANSWER_MAX_BYTES : end));
        return;
      }
    };
    socket.on('readable', read);
  });
}

/**
 * Holds the page's socket. A browser lets about 128 KB wait for the thread that reads a socket: a page that draws for
 * 30 ms at a time would receive only so much per picture. This thread takes what arrives at once, and the page finds it in
 * its queue.
 */
import { SOCKET_REPORT } from '../../shared/terminal/limits.ts';
import { type FromSocket, payloadBytes, type ToSocket } from './socket-messages.ts';

let socket: WebSocket | null = null;
let takenBytes = 0;
let reportedBytes = 0;
let timer: ReturnType<typeof setTimeout> | null = null;

self.onmessage = ({ data }: MessageEvent<ToSocket>) => {
  if (typeof data === 'object' && 'connect' in data) connect(data.connect);
  else if (socket !== null) {
    socket.send(data);
    takenBytes += payloadBytes(data);
    report();
  }
};

function connect(url: string): void {
  socket = new WebSocket(url);
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => tell({ kind: 'open' });
  socket.onclose = () => tell({ kind: 'closed' });
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => tell(data);
}

function tell(message: FromSocket): void {
  self.postMessage(message, { transfer: message instanceof ArrayBuffer ? [message] : [] });
}

/** Browsers tell nobody when a socket has drained: as long as there is something to report, this looks again. */
function report(): void {
  if (timer !== null || socket === null) return;
  const sent = takenBytes - socket.bufferedAmount;
  if (sent - reportedBytes >= SOCKET_REPORT.everyBytes) {
    reportedBytes = sent;
    tell({ kind: 'sent', total: sent });
  }
  if (takenBytes - reportedBytes < SOCKET_REPORT.everyBytes) return;
  timer = setTimeout(() => {
    timer = null;
    report();
  }, SOCKET_REPORT.retryMs);
}

/**
 * Runs in Airlock's own page before its scripts and watches the page's connection from outside: output frames that
 * arrive, `parsed` totals that leave. The product has no part in it.
 */
import { decodeOutput } from '../../shared/protocol/frames.ts';
import { type BenchPage, Gauge, watchKeys } from './gauge.ts';

const gauges = new Map<number, Gauge>();
const sizes: { cols: number; rows: number }[] = [];
let newest = new Gauge();
/** Taken by the next channel that shows up, so that somebody can wait on it before. */
let next = newest;
let lastKeyAt = 0;

function gaugeOf(channel: number): Gauge {
  const known = gauges.get(channel);
  if (known) return known;
  newest = next;
  next = new Gauge();
  gauges.set(channel, newest);
  return newest;
}

function noteSent(text: string): void {
  if (text.startsWith('{"type":"parsed"')) {
    const { channel, total } = JSON.parse(text) as { channel: number; total: number };
    gaugeOf(channel).noteParsed(total);
  } else if (text.includes('"session.open"')) {
    const request = JSON.parse(text) as { params: { size: { cols: number; rows: number } } };
    sizes.push(request.params.size);
  }
}

/** The page's socket is held by a worker, and what passes between the two is the connection. */
class ObservedWorker extends Worker {
  constructor(url: string | URL, options?: WorkerOptions) {
    super(url, options);
    this.addEventListener('message', ({ data }) => {
      const frame = data instanceof ArrayBuffer ? decodeOutput(new Uint8Array(data)) : null;
      if (frame) gaugeOf(frame.channel).noteReceived(frame.bytes);
    });
  }

  override postMessage(message: unknown, options?: Transferable[] | StructuredSerializeOptions): void {
    super.postMessage(message, options as Transferable[]);
    if (typeof message === 'string') noteSent(message);
  }
}

window.Worker = ObservedWorker;
watchKeys((at) => {
  lastKeyAt = at;
});
const bench: BenchPage = {
  get gauge() {
    return newest;
  },
  get lastKeyAt() {
    return lastKeyAt;
  },
  nextTerminalPromptShownAt: () => next.promptShownAt(),
  sizes,
};
Object.assign(window, { bench });

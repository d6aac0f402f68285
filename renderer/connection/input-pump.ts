import { encodeInput } from '../../shared/protocol/frames.ts';
import type { InputOrigin } from '../../shared/terminal/input-origin.ts';
import {
  INPUT_FRAME_MAX_BYTES,
  INPUT_QUEUE_MAX_BYTES,
  PAGE_SOCKET_BACKLOG_BYTES,
} from '../../shared/terminal/limits.ts';
import type { Carrier } from './carrier.ts';

/** Milliseconds between two looks at a socket that is behind; browsers tell nobody when it has drained. */
const RETRY_MS = 8;

type Outlet = Pick<Carrier, 'bufferedAmount' | 'sendFrame'>;
interface Held {
  readonly frames: Uint8Array<ArrayBuffer>[];
  bytes: number;
}

/**
 * Sends input in frames of at most INPUT_FRAME_MAX_BYTES while the socket keeps up, and holds the rest. Each channel
 * keeps its order; channels take turns, so that typing in one does not wait behind a paste into another (ST-4).
 */
export class InputPump {
  readonly #outlet: Outlet;
  readonly #held = new Map<number, Held>();
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  /** False when a channel would hold more than INPUT_QUEUE_MAX_BYTES; then nothing of `bytes` is taken. */
  send(channel: number, origin: InputOrigin, bytes: Uint8Array): boolean {
    const held = this.#held.get(channel) ?? { frames: [], bytes: 0 };
    if (held.bytes + bytes.length > INPUT_QUEUE_MAX_BYTES) return false;
    for (let at = 0; at < bytes.length; at += INPUT_FRAME_MAX_BYTES) {
      const frame = encodeInput({ channel, origin, bytes: bytes.subarray(at, at + INPUT_FRAME_MAX_BYTES) });
      held.frames.push(frame);
      held.bytes += frame.length;
    }
    this.#held.set(channel, held);
    if (this.#timer === null) this.#pump();
    return true;
  }

  /** Forgets what was held: a lost link never replays input (B27). */
  dispose(): void {
    this.#held.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #pump(): void {
    this.#timer = null;
    for (const [channel, held] of this.#held) {
      if (this.#outlet.bufferedAmount > PAGE_SOCKET_BACKLOG_BYTES) {
        this.#timer = setTimeout(() => this.#pump(), RETRY_MS);
        return;
      }
      this.#sendOne(channel, held);
    }
  }

  /** Moves the channel behind the others; the running iteration comes back to it. */
  #sendOne(channel: number, held: Held): void {
    this.#held.delete(channel);
    const frame = held.frames.shift();
    if (frame === undefined) return;
    held.bytes -= frame.length;
    if (held.frames.length > 0) this.#held.set(channel, held);
    this.#outlet.sendFrame(frame);
  }
}

import { type Disposable, DisposableStore } from '../../shared/disposable.ts';
import type { TaggedError } from '../../shared/protocol/errors.ts';
import type { OpenedSession } from '../../shared/protocol/requests.ts';
import type { Result } from '../../shared/result.ts';
import type { InputOrigin } from '../../shared/terminal/input-origin.ts';
import type { TerminalSize } from '../../shared/terminal/size.ts';
import type { Client } from '../connection/client.ts';
import type { FramePace } from './frame-pace.ts';
import { type Interjection, OutputStream, type OutputTarget } from './output-stream.ts';

/** One session's bytes between the client and one terminal. */
export class SessionLink implements Disposable {
  readonly session: OpenedSession;
  readonly #client: Client;
  readonly #output: OutputStream;
  readonly #owned = new DisposableStore();

  constructor(client: Client, session: OpenedSession, target: OutputTarget, pace: FramePace) {
    this.session = session;
    this.#client = client;
    this.#output = this.#owned.add(
      new OutputStream(target, pace, (total, ahead) => client.parsed(session.channel, total, ahead)),
    );
    this.#owned.add(client.attachSession(session.channel, { onOutput: (bytes) => this.#output.push(bytes) }));
  }

  send(origin: InputOrigin, bytes: Uint8Array): Result<undefined, TaggedError> {
    return this.#client.sendInput(this.session.channel, origin, bytes);
  }

  /** Text of our own in its place between pieces of output. */
  interject(text: Interjection): void {
    this.#output.interject(text);
  }

  /** Sizes are sent as they come: the carrier keeps their order with input, and the host coalesces them (ST-9). */
  resize(size: TerminalSize): void {
    void this.#client.request('session.resize', { sessionId: this.session.sessionId, size });
  }

  /** Resolves when all output that came is parsed. To be called after the session's `ended` state. */
  async finish(): Promise<void> {
    await this.#output.finish();
    this.dispose();
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

import type { ContainerEndpoint, PullProgress } from '../../shared/protocol/engine-requests.ts';
import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { askingEngine } from './asking-engine.ts';
import type { ClientSessions } from './client-sessions.ts';
import type { ContainerDaemons } from './services.ts';

/** Pulls of all clients at one time: a daemon does the work, on somebody's network. */
const PULLS_MAX = 4;
/** Milliseconds between two events of one pull, at least. */
const PROGRESS_INTERVAL_MS = 100;

type Client = Pick<ClientSessions, 'tell' | 'gone'>;

interface Pull {
  readonly pullId: string;
  readonly image: string;
  readonly endpoint: ContainerEndpoint;
}

interface Running {
  readonly client: Client;
  readonly abort: AbortController;
}

/** The pulls that clients have asked for. A pull belongs to one client, which alone hears of it and can give it up. */
export class ImagePulls {
  readonly #daemons: Pick<ContainerDaemons, 'pull'>;
  readonly #running = new Map<string, Running>();

  constructor(daemons: Pick<ContainerDaemons, 'pull'>) {
    this.#daemons = daemons;
  }

  async pull({ pullId, image, endpoint }: Pull, client: Client): Promise<Result<Empty, TaggedError>> {
    if (this.#running.has(pullId))
      return fail(taggedError('invalid-parameters', 'Not accepted: pullId names a pull that runs already.'));
    if (this.#running.size >= PULLS_MAX) return fail(TOO_MANY);
    const abort = new AbortController();
    this.#running.set(pullId, { client, abort });
    const signal = AbortSignal.any([abort.signal, client.gone]);
    const teller = new ProgressTeller(client, pullId);
    const pulled = this.#daemons.pull(endpoint, image, (progress) => teller.tell(progress), signal);
    try {
      const done = await askingEngine(pulled);
      return done.ok ? ok({}) : signal.aborted ? fail(CANCELLED) : done;
    } catch (error) {
      if (signal.aborted) return fail(CANCELLED);
      throw error;
    } finally {
      teller.stop();
      this.#running.delete(pullId);
    }
  }

  cancel(pullId: string, client: Client): void {
    const running = this.#running.get(pullId);
    if (running?.client === client) running.abort.abort();
  }
}

type Empty = Record<string, never>;

const CANCELLED = taggedError(
  'pull-cancelled',
  'The pull was cancelled. Layers that had come stay with the daemon.',
);
const TOO_MANY = taggedError(
  'engine-refused',
  `${PULLS_MAX} pulls are running. Wait for one, or cancel one.`,
);

/** Tells how far a pull is, at most once in PROGRESS_INTERVAL_MS; the last word before a silence is always told. */
class ProgressTeller {
  readonly #client: Client;
  readonly #pullId: string;
  #latest: PullProgress | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(client: Client, pullId: string) {
    this.#client = client;
    this.#pullId = pullId;
  }

  tell(progress: PullProgress): void {
    this.#latest = progress;
    if (this.#timer === null) this.#tellLatest();
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #tellLatest(): void {
    this.#timer = null;
    if (this.#latest === null) return;
    this.#client.tell({ event: 'engines.pull-progress', pullId: this.#pullId, progress: this.#latest });
    this.#latest = null;
    this.#timer = setTimeout(() => this.#tellLatest(), PROGRESS_INTERVAL_MS);
  }
}

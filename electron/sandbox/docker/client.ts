import { access } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { z } from 'zod';
import { RELEASE } from '../../../shared/terminal/limits.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import {
  type ContainerFacts,
  containerListSchema,
  containerSchema,
  createdSchema,
  type DaemonInfo,
  type ExecFacts,
  execSchema,
  type ImageFacts,
  imageListSchema,
  imageSchema,
  infoSchema,
  pingSchema,
  waitSchema,
} from './answers.ts';
import { CallAgent } from './connect.ts';
import { asDaemonError, cleanWords, DaemonError } from './daemon-error.ts';
import type { DockerEndpoint } from './endpoint.ts';
import { newContainerName } from './labels.ts';
import { inTime, LATE_ANSWER_MS } from './late-answer.ts';

/** Milliseconds for calls by what they do; an image is unpacked, a container is set up, a question is answered. */
export const CALL_MS = { ask: 5_000, describe: 8_000, create: 10_000, start: 12_000, remove: 8_000 } as const;

/** Bytes of one answer, and of all that is said while an image is pulled. A daemon that says more is not listened to. */
const ANSWER_MAX_BYTES = 16 * 1024 * 1024;
const PROGRESS_MAX_BYTES = 256 * 1024 * 1024;

/** The versions of the API that Airlock speaks: what it needs exists from the first on, and the last is what was read. */
const OLDEST_API = '1.40';
const NEWEST_API = '1.47';

/** From here on a size can be given at creation, so that a program's first look at it is right (ST-5). */
const CONSOLE_SIZE_API = '1.42';

/** Milliseconds that Podman's helper is given to set a size: Podman hands it over and does not wait. */
const PODMAN_RESIZE_MS = 20;

/** Milliseconds between two looks at whether a container is gone that somebody else removes. */
const REMOVAL_LOOK_MS = 50;

/** Milliseconds between two looks of Podman at whether a container has ended; it waits 250 unless told. */
const PODMAN_WAIT_INTERVAL = '20ms';

export interface Daemon {
  readonly product: 'Docker' | 'Podman';
  readonly version: string;
  /** The version of the API that is spoken with it. */
  readonly api: string;
  /** Whether a container can be created with the size of its terminal. */
  readonly takesConsoleSize: boolean;
}

/** One call, in words that follow "did not …" and "could not be asked to …". */
interface Call {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'DELETE';
  /** Without a version; parts that come from people or daemons are encoded already. */
  readonly path: string;
  readonly what: string;
  /** Null only where `signal` bounds it. */
  readonly limitMs: number | null;
  readonly signal?: AbortSignal | undefined;
  readonly query?: object;
  readonly body?: object;
}

/**
 * One daemon, asked by dockerode. Every call has a time limit, and an answer is checked before it is used. Methods reject with
 * DaemonError, which says what the daemon said.
 */
export class DockerClient {
  readonly endpoint: DockerEndpoint;
  readonly daemon: Daemon;
  readonly #docker: Docker;

  private constructor(endpoint: DockerEndpoint, daemon: Daemon) {
    this.endpoint = endpoint;
    this.daemon = daemon;
    this.#docker = dockerFor(endpoint, daemon.api);
  }

  /**
   * Asks the daemon who it is, in the one way that costs none of them anything. Rejects with DaemonError where it does not
   * answer, or speaks no version that Airlock does.
   */
  static async connect(endpoint: DockerEndpoint, signal?: AbortSignal): Promise<DockerClient> {
    const call = { method: 'GET', path: '/_ping', what: 'tell its version' } as const;
    const asked = { ...call, limitMs: CALL_MS.ask, signal };
    await requireSocket(endpoint, asked);
    const answer = (await dial(dockerFor(endpoint, null), endpoint, asked, true)) as IncomingMessage;
    answer.destroy();
    const told = check(endpoint, asked, pingSchema, answer.headers);
    const newest = told['api-version'];
    if (isNewer(OLDEST_API, newest)) {
      throw new DaemonError(
        null,
        `${endpoint.address} speaks version ${newest} of the Docker API, and Airlock needs ${OLDEST_API} or later.`,
      );
    }
    const api = isNewer(newest, NEWEST_API) ? NEWEST_API : newest;
    const podman = told['libpod-api-version'];
    const version = podman ?? /^Docker\/([^ ]+)/.exec(told.server ?? '')?.[1] ?? `with API ${newest}`;
    return new DockerClient(endpoint, {
      product: podman === undefined ? 'Docker' : 'Podman',
      version,
      api,
      takesConsoleSize: podman === undefined && !isNewer(CONSOLE_SIZE_API, api),
    });
  }

  info(signal?: AbortSignal): Promise<DaemonInfo> {
    return this.#ask(infoSchema, {
      method: 'GET',
      path: '/info',
      what: 'describe itself',
      limitMs: CALL_MS.describe,
      signal,
    });
  }

  /** Null where it has no such image. `name` must be an image's (`isImageName`). */
  image(name: string, signal?: AbortSignal): Promise<ImageFacts | null> {
    const path = `/images/${name}/json`;
    return orNullWhenAbsent(
      this.#ask(imageSchema, {
        method: 'GET',
        path,
        what: 'look at the image',
        limitMs: CALL_MS.ask,
        signal,
      }),
    );
  }

  images(): Promise<z.output<typeof imageListSchema>> {
    return this.#ask(imageListSchema, {
      method: 'GET',
      path: '/images/json',
      what: 'list its images',
      limitMs: CALL_MS.ask,
    });
  }

  /** The running containers, or all that have this label. */
  containers(label: string | null, signal?: AbortSignal): Promise<z.output<typeof containerListSchema>> {
    const query = label === null ? {} : { all: true, filters: { label: [label] } };
    const call = { method: 'GET', path: '/containers/json', what: 'list its containers' } as const;
    return this.#ask(containerListSchema, { ...call, query, limitMs: CALL_MS.ask, signal });
  }

  /** Resolves with the id, within `limitMs` milliseconds, and no signal breaks it off (`inTime`). Nothing is started. */
  async create(body: object, limitMs: number = CALL_MS.create): Promise<string> {
    const call = { method: 'POST', path: '/containers/create', what: 'create the container' } as const;
    const query = { name: newContainerName() };
    const created = this.#ask(createdSchema, { ...call, query, body, limitMs: LATE_ANSWER_MS });
    const { address } = this.endpoint;
    const undo = ({ Id }: { Id: string }) => this.remove(Id);
    return (await inTime(created, { limitMs, what: call.what, address, undo })).Id;
  }

  /** By id or name; null where there is none. */
  container(id: string, signal?: AbortSignal): Promise<ContainerFacts | null> {
    const call = { method: 'GET', path: containerPath(id, 'json'), what: 'look at the container' } as const;
    return orNullWhenAbsent(this.#ask(containerSchema, { ...call, limitMs: CALL_MS.ask, signal }));
  }

  /** Whether the file system of a container has something at this path. */
  async hasPath(id: string, path: string, signal: AbortSignal): Promise<boolean> {
    const call = {
      method: 'HEAD',
      path: containerPath(id, 'archive'),
      what: 'look into the container',
    } as const;
    const found = this.#tell({ ...call, query: { path }, limitMs: CALL_MS.ask, signal }).then(
      () => true as const,
    );
    return (await orNullWhenAbsent(found)) ?? false;
  }

  start(id: string, signal: AbortSignal): Promise<void> {
    const call = { method: 'POST', path: containerPath(id, 'start'), what: 'start the container' } as const;
    return this.#tell({ ...call, limitMs: CALL_MS.start, signal });
  }

  /** Resolves when the size is in force, as far as the daemon tells. */
  resize(id: string, size: TerminalSize): Promise<void> {
    return this.#resize(containerPath(id, 'resize'), size);
  }

  /** Resolves when the container has ended, with its exit code or null where the daemon gives none. Bounded by `signal` alone. */
  async wait(id: string, signal: AbortSignal): Promise<number | null> {
    const query = { condition: 'not-running', interval: PODMAN_WAIT_INTERVAL };
    const call = { method: 'POST', path: containerPath(id, 'wait'), what: 'wait for the container' } as const;
    return (await this.#ask(waitSchema, { ...call, query, limitMs: null, signal })).StatusCode ?? null;
  }

  kill(id: string, signal: 'SIGHUP' | 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const call = { method: 'POST', path: containerPath(id, 'kill'), what: `send ${signal}` } as const;
    return this.#tell({ ...call, query: { signal }, limitMs: CALL_MS.ask });
  }

  /**
   * With force, and with the volumes that belong to it alone. One that is gone already is no error, nor one that somebody else
   * removes just now, which daemons refuse: then it resolves when that one is done.
   */
  async remove(id: string): Promise<void> {
    const call = { method: 'DELETE', path: containerPath(id), what: 'remove the container' } as const;
    const removed = this.#tell({ ...call, query: { force: true, v: true }, limitMs: CALL_MS.remove });
    await orNullWhenAbsent(removed).catch(async (error: unknown) => {
      if (!(error instanceof DaemonError) || error.status !== 409) throw error;
      const until = performance.now() + RELEASE.removalMs;
      while ((await this.container(id)) !== null) {
        if (performance.now() >= until) throw error;
        await delay(REMOVAL_LOOK_MS);
      }
    });
  }

  /** Resolves with the id of a program that is not started yet. */
  async createExec(container: string, body: object, signal?: AbortSignal): Promise<string> {
    const call = {
      method: 'POST',
      path: containerPath(container, 'exec'),
      what: 'prepare the program',
    } as const;
    return (await this.#ask(createdSchema, { ...call, body, limitMs: CALL_MS.ask, signal })).Id;
  }

  exec(id: string): Promise<ExecFacts> {
    const call = { method: 'GET', path: `/exec/${id}/json`, what: 'look at the program' } as const;
    return this.#ask(execSchema, { ...call, limitMs: CALL_MS.ask });
  }

  /** As `resize`. */
  resizeExec(id: string, size: TerminalSize): Promise<void> {
    return this.#resize(`/exec/${id}/resize`, size);
  }

  /** The progress of a pull, as lines of JSON; bounded by `signal` alone. */
  async pull(image: string, signal: AbortSignal): Promise<Readable> {
    const call = { method: 'POST', path: '/images/create', what: 'pull the image' } as const;
    const query = { fromImage: image };
    const docker = dockerFor(this.endpoint, this.daemon.api, PROGRESS_MAX_BYTES);
    const asked = { ...call, query, limitMs: null, signal };
    return (await dial(docker, this.endpoint, asked, true)) as Readable;
  }

  async #resize(path: string, { cols, rows }: TerminalSize): Promise<void> {
    const call = { method: 'POST', path, what: 'resize the terminal' } as const;
    await this.#tell({ ...call, query: { h: rows, w: cols }, limitMs: CALL_MS.ask });
    if (this.daemon.product === 'Podman') await delay(PODMAN_RESIZE_MS);
  }

  async #ask<Schema extends z.ZodType>(schema: Schema, asked: Call): Promise<z.output<Schema>> {
    return check(this.endpoint, asked, schema, await dial(this.#docker, this.endpoint, asked));
  }

  async #tell(asked: Call): Promise<void> {
    await dial(this.#docker, this.endpoint, asked);
  }
}

/** Every status that means yes. 304: it is so already. */
const YES = { 200: true, 201: true, 204: true, 304: true };

function containerPath(id: string, verb?: string): string {
  const path = `/containers/${encodeURIComponent(id)}`;
  return verb === undefined ? path : `${path}/${verb}`;
}

const require = createRequire(import.meta.url);

/** Where there is no socket there is nobody to ask, and what asks need not be loaded. Rejects with DaemonError. */
async function requireSocket(endpoint: DockerEndpoint, { what }: Call): Promise<void> {
  if (endpoint.kind !== 'unix') return;
  try {
    await access(endpoint.path);
  } catch (error) {
    throw asDaemonError(error, what, endpoint.address);
  }
}

/** Loaded by the first call: that takes as long as the rest of a host's start, and many machines have no daemon. */
function dockerode(): typeof Docker {
  return require('dockerode');
}

/** Everything that dockerode would take from the environment is given, or switched off; the agent makes the connections. */
function dockerFor(endpoint: DockerEndpoint, api: string | null, maxBytes = ANSWER_MAX_BYTES): Docker {
  const connection = { protocol: 'http', socketPath: '/', agent: new CallAgent(endpoint, maxBytes) };
  const none = { host: undefined, ca: undefined, cert: undefined, key: undefined };
  const Dockerode = dockerode();
  return new Dockerode({
    ...connection,
    ...none,
    ...(api === null ? {} : { version: `v${api}` }),
  } as Docker.DockerOptions);
}

function check<Schema extends z.ZodType>(
  { address }: DockerEndpoint,
  { what }: Call,
  schema: Schema,
  answer: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  // Its own names can be a part of the path.
  const where = cleanWords(issue?.path.join('.') ?? '');
  throw new DaemonError(
    null,
    `${address} gave no valid answer when asked to ${what} (${where}: ${issue?.message}).`,
  );
}

/** A call that ends in time, also where the connection breaks in the middle of an answer, which dockerode does not notice. */
async function dial(
  docker: Docker,
  { address }: DockerEndpoint,
  asked: Call,
  isStream = false,
): Promise<unknown> {
  const { what, limitMs, signal } = asked;
  const signals = [...(signal ? [signal] : []), ...(limitMs === null ? [] : [AbortSignal.timeout(limitMs)])];
  const abort = AbortSignal.any(signals);
  try {
    return await new Promise((resolve, reject) => {
      abort.throwIfAborted();
      abort.addEventListener('abort', () => reject(abort.reason), { once: true });
      const options = {
        method: asked.method,
        path: `${asked.path}?`,
        options: { _query: asked.query ?? {}, _body: asked.body ?? {} },
        statusCodes: YES,
        abortSignal: abort,
        isStream,
      };
      docker.modem.dial(options, (error: unknown, answer: unknown) =>
        error ? reject(error) : resolve(answer),
      );
    });
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (abort.aborted) throw new DaemonError(null, `${address} did not ${what} within ${limitMs} ms.`);
    throw asDaemonError(error, what, address);
  }
}

async function orNullWhenAbsent<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof DaemonError && error.status === 404) return null;
    throw error;
  }
}

/** Whether version `a` is newer than `b`. */
function isNewer(a: string, b: string): boolean {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const major = (left?.[0] ?? 0) - (right?.[0] ?? 0);
  return major !== 0 ? major > 0 : (left?.[1] ?? 0) > (right?.[1] ?? 0);
}

import type { Readable } from 'node:stream';
import { z } from 'zod';
import {
  type ContainerImage,
  ENGINE_ITEMS_MAX,
  type PullProgress,
  type RunningContainer,
} from '../../../shared/protocol/engine-requests.ts';
import { EngineError } from '../engine.ts';
import { DockerClient } from './client.ts';
import { cleanWords, DaemonError } from './daemon-error.ts';
import { commandAt, type EndpointSettings, resolveEndpoint } from './endpoint.ts';
import { isImageName } from './image-name.ts';
import { isOfSession } from './labels.ts';
import { unreachable } from './status.ts';

/** Characters of one line of a pull's progress. */
const LINE_MAX_CHARS = 64 * 1024;

/** Layers of one image whose sizes are added up. */
const LAYERS_MAX = 1_024;

/** Milliseconds in which a daemon that pulls must say something: at first, and again, as it can unpack without a word. */
const PULL_SILENCE_MS = { first: 120_000, next: 300_000 } as const;

/** Characters of one text of a daemon. */
const TEXT_MAX = 256;

/** A list as long as a page may get, and how many were left out. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly more: number;
}

/** What an endpoint is called in errors: both sections of a profile have one. */
const SECTION = 'container';

/** The names of the daemon's images, newest first. Rejects with EngineError. */
export async function listImages(settings: EndpointSettings): Promise<Listed<ContainerImage>> {
  const images = await withDaemon(settings, (client) => client.images());
  const named = images.flatMap(({ Id, RepoTags, RepoDigests, Size, Created }) =>
    namesOf(RepoTags, RepoDigests).map((name) => ({
      ...{ name: name.slice(0, 512), id: Id.slice(0, 128), bytes: Math.round(Size) },
      createdAt: Created * 1_000,
    })),
  );
  return bounded(named.sort((a, b) => b.createdAt - a.createdAt || (a.name < b.name ? -1 : 1)));
}

/** Its tags; one that was pulled by digest has none. */
function namesOf(tags: readonly string[], digests: readonly string[]): readonly string[] {
  const named = tags.filter((name) => name !== '<none>:<none>');
  return named.length > 0 ? named : digests.filter((name) => !name.startsWith('<none>'));
}

/** The daemon's running containers by name, without those of Airlock's sessions: they go with them. Rejects with EngineError. */
export async function listContainers(settings: EndpointSettings): Promise<Listed<RunningContainer>> {
  const containers = await withDaemon(settings, (client) => client.containers(null));
  const others = containers.filter(({ Labels }) => !isOfSession(Labels));
  const named = others.map(({ Id, Names, Image, Status }) => ({
    name: (Names[0] ?? Id.slice(0, 12)).replace(/^\//, '').slice(0, TEXT_MAX),
    ...{ id: Id, image: Image.slice(0, 512), status: (Status ?? '').slice(0, TEXT_MAX) },
  }));
  return bounded(named.sort((a, b) => (a.name < b.name ? -1 : 1)));
}

/**
 * Has the daemon fetch an image from its registry. `onProgress` is told as the daemon tells, at most once for each of its lines.
 * Resolves when the image is there. Rejects with EngineError: `engine-unavailable` where the daemon does not answer,
 * `profile-invalid` for what is no name of an image, `open-failed` with the daemon's words where it could not, or where it said
 * nothing for longer than `silenceMs`. Ends with `signal`, whose reason it then rejects with; the daemon gives up as well.
 */
export async function pullImage(
  settings: EndpointSettings,
  image: string,
  onProgress: (progress: PullProgress) => void,
  signal: AbortSignal,
  silenceMs: { readonly first: number; readonly next: number } = PULL_SILENCE_MS,
): Promise<void> {
  if (!isImageName(image))
    throw new EngineError(
      'profile-invalid',
      `${JSON.stringify(image.slice(0, 300))} is not the name of an image, such as debian:12.`,
    );
  await withDaemon(settings, async (client) => {
    const name = withTag(image);
    const silence = new AbortController();
    const listen = (ms: number) => setTimeout(() => silence.abort(saidNothing(client, name, ms)), ms);
    let timer = listen(silenceMs.first);
    const told = (progress: PullProgress) => {
      clearTimeout(timer);
      timer = listen(silenceMs.next);
      onProgress(progress);
    };
    const until = AbortSignal.any([signal, silence.signal]);
    try {
      await followPull(await client.pull(name, until), told, until);
    } catch (error) {
      const isRefusal = error instanceof DaemonError && error.status !== null;
      throw isRefusal ? new EngineError('open-failed', error.message) : error;
    } finally {
      clearTimeout(timer);
    }
    // A daemon may end its progress without a word about why.
    if ((await client.image(name, signal)) === null)
      throw new EngineError('open-failed', `The daemon ended the pull, and has no image ${name}.`);
  });
}

function saidNothing({ daemon, endpoint }: DockerClient, name: string, ms: number): EngineError {
  return new EngineError(
    'open-failed',
    `The image was not pulled: ${daemon.product} has said nothing for ${ms / 1_000} seconds, as when its registry does not answer. To see more: ${commandAt(endpoint, daemon.product, `pull ${name}`)}`,
  );
}

/** Without a tag a daemon would fetch every one there is. */
function withTag(image: string): string {
  const last = image.split('/').at(-1) ?? '';
  return last.includes(':') || image.includes('@') ? image : `${image}:latest`;
}

const lineSchema = z.object({
  status: z.string().optional(),
  id: z.string().max(TEXT_MAX).optional(),
  progressDetail: z
    .object({ current: z.number().nonnegative().optional(), total: z.number().nonnegative().optional() })
    .nullish(),
  error: z.string().optional(),
  /** Podman's word for `status`. */
  stream: z.string().optional(),
});

/** Exported for its test: reads the progress of a pull to its end. Rejects with the daemon's own error, or `signal`'s reason. */
export async function followPull(
  stream: Readable,
  onProgress: (progress: PullProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const layers = new Map<string, { done: number; total: number }>();
  const decoder = new TextDecoder();
  let rest = '';
  const stop = () => stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      rest += decoder.decode(chunk, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > LINE_MAX_CHARS)
        throw new DaemonError(null, 'The daemon’s progress has a line longer than any pull’s.');
      for (const line of lines) if (line.trim() !== '') onProgress(progressOf(line, layers));
    }
    signal.throwIfAborted();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof EngineError || error instanceof DaemonError) throw error;
    throw new DaemonError(null, `The daemon broke the pull off: ${cleanWords(String(error))}.`);
  } finally {
    signal.removeEventListener('abort', stop);
    stream.destroy();
  }
}

function progressOf(line: string, layers: Map<string, { done: number; total: number }>): PullProgress {
  const parsed = lineSchema.safeParse(parseJson(line));
  if (!parsed.success) throw new DaemonError(null, 'The daemon’s progress is none that Airlock understands.');
  const { status, stream, id, progressDetail, error } = parsed.data;
  if (error !== undefined)
    throw new EngineError('open-failed', `The image was not pulled: ${cleanWords(error)}`);
  const { current = 0, total = 0 } = progressDetail ?? {};
  const isLayer = id !== undefined && status === 'Downloading' && total > 0;
  if (isLayer && (layers.has(id) || layers.size < LAYERS_MAX)) {
    // One that is gone on with after a failure is told as what was left of it.
    const whole = Math.max(total, layers.get(id)?.total ?? 0);
    layers.set(id, { done: whole - Math.max(0, total - current), total: whole });
  }
  const known = id === undefined ? undefined : layers.get(id);
  if (known && status === 'Download complete') known.done = known.total;
  let [doneBytes, totalBytes] = [0, 0];
  for (const layer of layers.values()) {
    doneBytes += layer.done;
    totalBytes += layer.total;
  }
  const words = [id, status ?? stream].filter((word) => word !== undefined).join(': ');
  const count = (value: number) => Math.min(Math.round(value), Number.MAX_SAFE_INTEGER);
  return {
    text: cleanWords(words).slice(0, TEXT_MAX),
    doneBytes: count(doneBytes),
    totalBytes: layers.size === 0 ? null : count(totalBytes),
  };
}

async function withDaemon<T>(
  settings: EndpointSettings,
  use: (client: DockerClient) => Promise<T>,
): Promise<T> {
  const endpoint = resolveEndpoint(settings, SECTION);
  try {
    return await use(await DockerClient.connect(endpoint));
  } catch (error) {
    throw error instanceof DaemonError ? unreachable(error, endpoint) : error;
  }
}

function bounded<Item>(items: readonly Item[]): Listed<Item> {
  return { items: items.slice(0, ENGINE_ITEMS_MAX), more: Math.max(0, items.length - ENGINE_ITEMS_MAX) };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

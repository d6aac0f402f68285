import { randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerSettings } from '../../../shared/settings/engine-settings.ts';
import { USER } from '../../../shared/terminal/inside.ts';
import { RESIZE_RETRY_DELAYS_MS } from '../../../shared/terminal/limits.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import type { ContainerFacts, DaemonInfo, ImageFacts } from '../docker/answers.ts';
import { openStream } from '../docker/attach-stream.ts';
import type { DockerClient } from '../docker/client.ts';
import { DaemonError } from '../docker/daemon-error.ts';
import { Gate } from '../docker/gate.ts';
import { removeSession } from '../docker/labels.ts';
import { countsPerNamespace, type FoundBounds, type WantedBounds } from '../docker/shell-bounds.ts';
import { openFailure } from '../docker/status.ts';
import { TerminalStream } from '../docker/terminal-stream.ts';
import { EngineError, type SandboxSpec } from '../engine.ts';
import { type Folders, sharedPlaces } from '../host-folders.ts';
import { createOptions, MIB, needsShellBounds, tasksOf } from './create-options.ts';
import { checkMounts } from './mounts.ts';
import { createOutFolder, type OutPlace, removeOutFolder } from './out-folder.ts';
import { postureOf } from './posture.ts';
import { checkCreated, checkKernel } from './runtime.ts';
import { ContainerTerminal } from './terminal.ts';
import type { ContainerUser } from './user.ts';

/** Where daemons have a bare name of a program looked for when neither the profile nor the image says it. */
const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** What to open, checked already, and where. */
export interface OpenRequest {
  readonly spec: SandboxSpec;
  readonly settings: ContainerSettings;
  readonly size: TerminalSize;
  readonly client: DockerClient;
  readonly info: DaemonInfo;
  readonly image: ImageFacts;
  readonly folders: Folders;
  readonly user: ContainerUser;
  /** Null where the daemon does not see this machine's files. */
  readonly outPlace: OutPlace | null;
}

/**
 * Starts one container in the order of ST-6: created, attached to, given its size, and only then started; or, where the daemon
 * takes no size before the start, started with a gate before the program. Rejects with EngineError; whatever was created has
 * been removed by then.
 */
export async function openContainer(request: OpenRequest, signal: AbortSignal): Promise<ContainerTerminal> {
  const { client, spec, outPlace, user } = request;
  const removeFiles = async () => (outPlace === null ? null : removeOutFolder(outPlace, spec.sessionId));
  let stream: TerminalStream | null = null;
  try {
    signal.throwIfAborted();
    const out = outPlace === null || spec.worker ? null : createOutFolder(outPlace, spec.sessionId, user);
    const bounds = boundsForShell(request);
    const mounts = sharedPlaces(request.folders).map(({ target }) => target);
    const gate =
      bounds !== undefined || mounts.length > 0 || needsGate(request)
        ? new Gate({ forWorker: spec.worker !== undefined, bounds, mounts })
        : null;
    const id = await create(request, out, gate, signal);
    stream = await attach(client, id, signal);
    const { facts, found } = await start(request, id, stream, gate, signal);
    signal.throwIfAborted();
    const { endpoint } = client;
    const certificates = endpoint.kind === 'tcp' ? { certificates: endpoint.certificates } : {};
    return new ContainerTerminal({
      client,
      identity: {
        kind: 'container',
        id,
        endpoint: endpoint.address,
        ...certificates,
        session: spec.sessionId,
      },
      stream,
      posture: postureOf({
        ...request,
        daemon: client.daemon,
        facts,
        bounds: found,
        out,
        isGvisor: request.settings.runtime === 'runsc',
      }),
      out,
      removeFiles,
    });
  } catch (error) {
    stream?.destroy();
    const left = (await removal(client, spec.sessionId)) ?? (await removeFiles());
    throw openFailure(error, signal, { left, leftIdentity: null });
  }
}

/** For a size that the daemon does not set before the start, a look at the kernel, or a worker's terminal. */
function needsGate({ client, settings, spec }: OpenRequest): boolean {
  const { product, takesConsoleSize } = client.daemon;
  return (
    spec.worker !== undefined || settings.runtime !== 'default' || (product === 'Docker' && !takesConsoleSize)
  );
}

/** What the gate has to bound; undefined where the daemon does. */
function boundsForShell(request: OpenRequest): WantedBounds | undefined {
  const { client, info, spec } = request;
  if (!needsShellBounds(client.daemon, info)) return undefined;
  const { openFiles, processes, memoryMiB, cpuPercent } = spec.profile.limits;
  return {
    ...{ openFiles, cpuPercent, tasks: tasksOf(processes), memoryBytes: memoryMiB * MIB },
    fileBytes: spec.worker?.fileMaxBytes ?? null,
    perContainer: request.user.namespace === 'keep-id' && countsPerNamespace(info.KernelVersion),
  };
}

async function create(
  request: OpenRequest,
  out: string | null,
  gate: Gate | null,
  signal: AbortSignal,
): Promise<string> {
  const { client, spec, settings } = request;
  const { command } = spec.profile;
  const plan = { ...request, out, daemon: client.daemon, command: gate?.wrap(command) ?? command };
  const id = await client.create(createOptions(plan));
  const created = await client.container(id, signal);
  if (created === null) throw new DaemonError(null, 'The container was gone as soon as it was created.');
  checkCreated(spec.profile, settings, created);
  if (gate === null) await requireProgram(request, id, signal);
  else await requireShell(client, id, signal);
  return id;
}

/** The init of a container starts the program, so the daemon does not find out that there is none. */
async function requireProgram({ client, spec, image }: OpenRequest, id: string, signal: AbortSignal) {
  const { command, environment } = spec.profile;
  const program = command[0] ?? '';
  const ofImage = image.Config?.Env.find((variable) => variable.startsWith('PATH='))?.slice('PATH='.length);
  const path = environment['PATH'] ?? ofImage ?? DEFAULT_PATH;
  const isPath = program.includes('/');
  const folders = isPath ? [USER.home] : path.split(':').filter(posix.isAbsolute);
  for (const folder of folders) if (await client.hasPath(id, posix.resolve(folder, program), signal)) return;
  const hasSh = await client.hasPath(id, '/bin/sh', signal);
  const instead = hasSh ? ' It has /bin/sh: name that as the program.' : '';
  throw new EngineError(
    'open-failed',
    `"${program}" could not be started in the container: its image has no such file${isPath ? '' : ` in ${path}`}.${instead}`,
  );
}

async function requireShell(client: DockerClient, id: string, signal: AbortSignal): Promise<void> {
  if (await client.hasPath(id, '/bin/sh', signal)) return;
  const { product, version } = client.daemon;
  throw new EngineError(
    'open-failed',
    `The image needs /bin/sh: governed sessions, shared folders, gVisor, Podman without root, and Docker older than 23 (this is ${product} ${version}) need it to set and check the terminal’s size, folders and limits before the program begins.`,
  );
}

async function attach(client: DockerClient, id: string, signal: AbortSignal): Promise<TerminalStream> {
  const { endpoint, daemon } = client;
  const query = `stream=1&stdin=1&stdout=1&stderr=1&detachKeys=${detachKeys(daemon.product)}`;
  const path = `/v${daemon.api}/containers/${id}/attach?${query}`;
  return new TerminalStream(await openStream({ endpoint, path, what: 'attach to the container', signal }));
}

/**
 * Keys that nobody can type (B06). Podman takes "none". Docker needs some, and holds a first one back until the next key: so it
 * is a byte that is no part of any character, and what would have to follow is a secret of this session.
 */
function detachKeys(product: 'Docker' | 'Podman'): string {
  if (product === 'Podman') return '';
  const rest = [...randomBytes(15)].map((byte) => byte | 0x80);
  return [0xff, ...rest].map((byte) => `%${byte.toString(16).toUpperCase()}`).join(',');
}

async function start(
  request: OpenRequest,
  id: string,
  stream: TerminalStream,
  gate: Gate | null,
  signal: AbortSignal,
): Promise<{ readonly facts: ContainerFacts; readonly found: FoundBounds | null }> {
  const { client, size, spec, settings, info, folders } = request;
  const resize = () => resizeSoon(client, id, size, signal);
  // Podman has made the terminal by now, and starts the program on it later.
  if (client.daemon.product === 'Podman') await resize();
  await client.start(id, signal);
  const report = await gate?.open(stream, spec.profile.command, {
    resize,
    check: (found) => {
      checkKernel(settings, found.kernel, info.KernelVersion);
      checkMounts(folders, found);
    },
  });
  const facts = await client.container(id, signal);
  if (facts === null) throw new DaemonError(null, 'The container was gone as soon as it was started.');
  return { facts, found: report?.bounds ?? null };
}

/** Daemons refuse a size while they are still about to make the terminal (B05). */
async function resizeSoon(
  client: DockerClient,
  id: string,
  size: TerminalSize,
  signal: AbortSignal,
): Promise<void> {
  for (const delayMs of [...RESIZE_RETRY_DELAYS_MS, null]) {
    try {
      return await client.resize(id, size);
    } catch (error) {
      signal.throwIfAborted();
      if (delayMs === null) throw error;
      await delay(delayMs);
    }
  }
}

/** Why something of the session may be left, or null. */
async function removal(client: DockerClient, sessionId: string): Promise<string | null> {
  try {
    await removeSession(client, sessionId);
    return null;
  } catch (error) {
    return `A container with the label of session ${sessionId} may be left: ${messageOf(error)}`;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

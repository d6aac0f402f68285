import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContainerSettings, containerSettingsSchema } from '../../../shared/settings/engine-settings.ts';
import { fieldName } from '../../../shared/settings/field-names.ts';
import type { Profile } from '../../../shared/settings/schema.ts';
import type { EngineStatus } from '../../../shared/terminal/engine-status.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import type { ImageFacts } from '../docker/answers.ts';
import type { DockerClient } from '../docker/client.ts';
import { CurableError } from '../docker/curable-error.ts';
import { commandAt, type DockerEndpoint, isLocal, resolveEndpoint } from '../docker/endpoint.ts';
import { isImageName } from '../docker/image-name.ts';
import { askAnew, type KnownDaemon, KnownDaemons } from '../docker/known-daemons.ts';
import { checkDeadline, failureInWords, openFailure, unreachable } from '../docker/status.ts';
import {
  EngineError,
  type RecoveryReport,
  type SandboxEngine,
  type SandboxIdentity,
  type SandboxSpec,
  type SandboxTerminal,
} from '../engine.ts';
import type { Folders } from '../host-folders.ts';
import { resolveFolders, validateProfile } from '../validate.ts';
import { requireReachable } from './folder-access.ts';
import { openContainer } from './open.ts';
import { type OutPlace, removeLeftOutFolders, removeOutFolder } from './out-folder.ts';
import { notOurs, removeContainer } from './release.ts';
import { requireRuntime, runtimeOf } from './runtime.ts';
import { usable } from './status-words.ts';
import { type ContainerUser, containerUser } from './user.ts';

export interface ContainerOptions {
  /** Folders with Airlock's own data, which no sandbox may see. The first holds the folders that are /out in containers. */
  readonly privateFolders: readonly string[];
}

const SECTION = 'container';

/**
 * Containers of Docker and Podman, gVisor's included, by the Docker Engine API. A container is created for one session and removed
 * with it. What holds for it is listed at `createOptions`.
 */
export class ContainerEngine implements SandboxEngine {
  readonly kind = 'container';
  readonly runsWorkers = true;
  readonly leftByOpening =
    'It was still being opened. A container of it is removed when its daemon is used next.';
  readonly #privateFolders: readonly string[];
  readonly #outBase: string;
  /** What cannot be removed now of the folders of dead hosts is tried again by the next host. */
  readonly #daemons = new KnownDaemons((endpoint) => void removeLeftOutFolders(this.#outPlace(endpoint)));

  constructor({ privateFolders }: ContainerOptions) {
    this.#privateFolders = privateFolders;
    this.#outBase = join(
      privateFolders[0] ?? join(tmpdir(), `airlock-${process.getuid?.() ?? 0}`),
      'container-out',
    );
  }

  async probe(profile?: Profile): Promise<EngineStatus> {
    const settings = settingsOf(profile);
    let endpoint: DockerEndpoint | null = null;
    try {
      endpoint = resolveEndpoint(settings, SECTION);
      const signal = checkDeadline(endpoint);
      const daemon = await askAnew(endpoint, signal);
      if (profile !== undefined) {
        const spec = { sessionId: 'probe', profile, project: null };
        await requireOpenable(daemon, settings, this.#foldersFor(spec, settings, endpoint), signal);
      }
      return usable(daemon.client, daemon.info, settings);
    } catch (error) {
      const { summary, fixes } = failureInWords(error, endpoint);
      return {
        kind: 'container',
        usable: false,
        version: null,
        summary,
        fixes,
        notes: [],
      };
    }
  }

  async open(spec: SandboxSpec, size: TerminalSize, signal: AbortSignal): Promise<SandboxTerminal> {
    const settings = settingsOf(spec.profile);
    const endpoint = resolveEndpoint(settings, SECTION);
    const folders = this.#foldersFor(spec, settings, endpoint);
    const ready = await this.#reach(endpoint, settings, folders, signal);
    const outPlace = isLocal(endpoint) ? this.#outPlace(endpoint) : null;
    const request = { spec, size, folders, outPlace, ...ready };
    return openContainer(request, signal).catch((error: unknown) => {
      this.#daemons.forget();
      throw error;
    });
  }

  async recover(identity: SandboxIdentity): Promise<RecoveryReport> {
    if (identity.kind !== 'container')
      return { kind: 'mismatch', reason: 'It was not started as a container.' };
    try {
      const { endpoint: address, certificates = null } = identity;
      const endpoint = resolveEndpoint({ endpoint: address, certificates }, SECTION);
      const { client } = await this.#daemons.reach(endpoint);
      const removal = await removeContainer(client, identity);
      if (removal === 'mismatch') return { kind: 'mismatch', reason: notOurs(identity) };
      const { session } = identity;
      const left = session === undefined ? null : await removeOutFolder(this.#outPlace(endpoint), session);
      if (left !== null) return { kind: 'mismatch', reason: left };
      return { kind: removal };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { kind: 'mismatch', reason: `Whether container ${identity.id} is gone is not known: ${why}` };
    }
  }

  #outPlace({ address }: DockerEndpoint): OutPlace {
    return { base: this.#outBase, daemon: address };
  }

  /** What a session may see of this machine, once the profile itself is right. */
  #foldersFor(spec: SandboxSpec, settings: ContainerSettings, endpoint: DockerEndpoint): Folders {
    checkProfile(spec.profile, settings);
    const folders = resolveFolders(spec, this.#privateFolders);
    requireLocal(endpoint, folders);
    return folders;
  }

  /** Failures are `engine-unavailable`: nothing was created. */
  async #reach(
    endpoint: DockerEndpoint,
    settings: ContainerSettings,
    folders: Folders,
    signal: AbortSignal,
  ): Promise<Openable> {
    try {
      const daemon = await this.#daemons.reach(endpoint);
      signal.throwIfAborted();
      return await requireOpenable(daemon, settings, folders, signal);
    } catch (error) {
      if (signal.aborted || error instanceof EngineError) throw openFailure(error, signal);
      throw unreachable(error, endpoint);
    }
  }
}

/** A daemon with what a session of one profile needs of it. */
interface Openable extends KnownDaemon {
  /** With the runtime that its containers get. */
  readonly settings: ContainerSettings;
  readonly image: ImageFacts;
  readonly user: ContainerUser;
}

/** Everything that a daemon can be asked before something is created: the check of a profile and an opening refuse the same. */
async function requireOpenable(
  daemon: KnownDaemon,
  settings: ContainerSettings,
  folders: Folders,
  signal: AbortSignal,
): Promise<Openable> {
  const { client, info } = daemon;
  const image = await requireImage(client, settings, signal);
  requireRuntime(settings, info, client.daemon.product);
  const host = { uid: process.getuid?.() ?? null, gid: process.getgid?.() ?? null };
  const user = containerUser(client.daemon.product, info, host);
  requireReachable(folders, user);
  return { ...daemon, settings: { ...settings, runtime: runtimeOf(settings, info) }, image, user };
}

async function requireImage(
  client: DockerClient,
  settings: ContainerSettings,
  signal: AbortSignal,
): Promise<ImageFacts> {
  const image = await client.image(settings.image, signal);
  if (image === null) throw imageMissing(client, settings);
  if ((image.Os ?? 'linux') === 'linux') return image;
  throw new EngineError(
    'profile-invalid',
    `${fieldName('container.image')} must name a Linux image; ${settings.image} is for ${image.Os}.`,
  );
}

function settingsOf(profile: Profile | undefined): ContainerSettings {
  return containerSettingsSchema.parse(profile?.container ?? {});
}

function checkProfile(profile: Profile, { image }: ContainerSettings): void {
  validateProfile(profile);
  if (image === '')
    throw new EngineError(
      'profile-invalid',
      `${fieldName('container.image')} must name an image, such as debian:12. Choose one in the profile.`,
    );
  if (!isImageName(image))
    throw new EngineError(
      'profile-invalid',
      `${fieldName('container.image')} must be the name or the id of an image, and is ${JSON.stringify(image)}.`,
    );
}

function imageMissing({ endpoint, daemon }: DockerClient, { image }: ContainerSettings): EngineError {
  const command = commandAt(endpoint, daemon.product, `pull ${image}`);
  return new CurableError(
    'engine-unavailable',
    `${endpoint.address} has no image "${image}". Nothing is pulled unasked.`,
    [{ text: 'Pull it in the profile, or:', command }],
  );
}

/** Another machine does not see this one's files; what would be bound there is something else, or nothing. */
function requireLocal(endpoint: DockerEndpoint, { project, scratch, files }: Folders): void {
  if (isLocal(endpoint)) return;
  const what =
    project !== null
      ? 'the project folder'
      : scratch !== null
        ? 'the scratch folder'
        : files?.length
          ? 'the files of this call'
          : null;
  if (what === null) return;
  throw new EngineError(
    'profile-invalid',
    `${endpoint.address} may be another machine, which does not have ${what} of this one. Open the session without, or on a socket of this machine (unix://…).`,
  );
}

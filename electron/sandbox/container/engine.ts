import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContainerSettings, containerSettingsSchema } from '../../../shared/settings/engine-settings.ts';
import type { Profile } from '../../../shared/settings/schema.ts';
import type { EngineStatus } from '../../../shared/terminal/engine-status.ts';
import { PROBE_DEADLINE_MS } from '../../../shared/terminal/limits.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import type { DaemonInfo, ImageFacts } from '../docker/answers.ts';
import { DockerClient } from '../docker/client.ts';
import { type DockerEndpoint, isLocal, resolveEndpoint } from '../docker/endpoint.ts';
import { isImageName } from '../docker/image-name.ts';
import { removeLeftOver } from '../docker/labels.ts';
import { failureInWords } from '../docker/status.ts';
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
import { removeOutFolder } from './out-folder.ts';
import { notOurs, removeContainer } from './release.ts';
import { requireRuntime } from './runtime.ts';
import { usable } from './status-words.ts';
import { containerUser } from './user.ts';

export interface ContainerOptions {
  /** Folders with Airlock's own data, which no sandbox may see. The first holds the folders that are /out in containers. */
  readonly privateFolders: readonly string[];
}

/** A daemon that answers, with what a profile needs of it. */
interface Prepared {
  readonly client: DockerClient;
  readonly info: DaemonInfo;
  readonly image: ImageFacts;
}

const SECTION = 'container';

/**
 * Containers of Docker and Podman, gVisor's included, by the Docker Engine API. A container is created for one session and removed
 * with it. What holds for it is listed at `createOptions`.
 */
export class ContainerEngine implements SandboxEngine {
  readonly kind = 'container';
  readonly runsWorkers = true;
  readonly #privateFolders: readonly string[];
  readonly #outBase: string;
  /** Addresses of the daemons that were asked for what dead hosts left. */
  readonly #swept = new Set<string>();

  constructor({ privateFolders }: ContainerOptions) {
    this.#privateFolders = privateFolders;
    this.#outBase = join(
      privateFolders[0] ?? join(tmpdir(), `airlock-${process.getuid?.() ?? 0}`),
      'container-out',
    );
  }

  async probe(profile?: Profile): Promise<EngineStatus> {
    const settings = settingsOf(profile);
    const signal = AbortSignal.timeout(PROBE_DEADLINE_MS);
    let endpoint: DockerEndpoint | null = null;
    try {
      endpoint = resolveEndpoint(settings, SECTION);
      const client = await DockerClient.connect(endpoint, signal);
      const info = await client.info(signal);
      if (profile === undefined) return usable(client, info, settings);
      checkProfile(profile, settings);
      await this.#prepare(client, settings, signal);
      return usable(client, info, settings);
    } catch (error) {
      const { summary, fixes } = failureInWords(error, endpoint);
      return {
        kind: 'container',
        name: 'Container',
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
    checkProfile(spec.profile, settings);
    const folders = resolveFolders(spec, this.#privateFolders);
    const endpoint = resolveEndpoint(settings, SECTION);
    requireLocal(endpoint, folders);
    const { client, info, image } = await this.#reach(endpoint, settings, signal);
    const host = { uid: process.getuid?.() ?? null, gid: process.getgid?.() ?? null };
    const user = containerUser(client.daemon.product, info.SecurityOptions, host);
    requireReachable(folders, user);
    const outBase = isLocal(endpoint) ? this.#outBase : null;
    return openContainer({ spec, settings, size, client, info, image, folders, user, outBase }, signal);
  }

  async recover(identity: SandboxIdentity): Promise<RecoveryReport> {
    if (identity.kind !== 'container')
      return { kind: 'mismatch', reason: 'It was not started as a container.' };
    try {
      const { endpoint: address, certificates = null } = identity;
      const client = await DockerClient.connect(
        resolveEndpoint({ endpoint: address, certificates }, SECTION),
      );
      const removal = await removeContainer(client, identity);
      if (removal === 'mismatch') return { kind: 'mismatch', reason: notOurs(identity) };
      if (identity.session !== undefined) removeOutFolder(this.#outBase, identity.session);
      await this.#sweep(client);
      return { kind: removal };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { kind: 'mismatch', reason: `Whether container ${identity.id} is gone is not known: ${why}` };
    }
  }

  /** Failures are `engine-unavailable`: nothing was created. */
  async #reach(
    endpoint: DockerEndpoint,
    settings: ContainerSettings,
    signal: AbortSignal,
  ): Promise<Prepared> {
    try {
      const client = await DockerClient.connect(endpoint, signal);
      const prepared = await this.#prepare(client, settings, signal);
      await this.#sweep(client);
      return { client, ...prepared };
    } catch (error) {
      if (signal.aborted || error instanceof EngineError) throw error;
      const { summary, fixes } = failureInWords(error, endpoint);
      const steps = fixes.map(({ text, command }) => (command === null ? text : `${text} ${command}`));
      throw new EngineError('engine-unavailable', [summary, ...steps].join('\n'));
    }
  }

  async #prepare(
    client: DockerClient,
    settings: ContainerSettings,
    signal: AbortSignal,
  ): Promise<Omit<Prepared, 'client'>> {
    const info = await client.info(signal);
    const image = await client.image(settings.image, signal);
    if (image === null) throw imageMissing(client, settings);
    if ((image.Os ?? 'linux') !== 'linux')
      throw new EngineError(
        'profile-invalid',
        `container.image must name a Linux image; ${settings.image} is for ${image.Os}.`,
      );
    requireRuntime(settings, info, client.daemon.product);
    return { info, image };
  }

  /** Once for each daemon: what dead hosts left there before they knew what they had started (ST-26). */
  async #sweep(client: DockerClient): Promise<void> {
    const { address } = client.endpoint;
    if (this.#swept.has(address)) return;
    this.#swept.add(address);
    // What cannot be removed now is looked at by the next host.
    await removeLeftOver(client).catch(() => this.#swept.delete(address));
  }
}

function settingsOf(profile: Profile | undefined): ContainerSettings {
  return containerSettingsSchema.parse(profile?.container ?? {});
}

function checkProfile(profile: Profile, { image }: ContainerSettings): void {
  validateProfile(profile);
  if (image === '')
    throw new EngineError(
      'profile-invalid',
      'container.image must name an image, such as debian:12. Choose one in the profile.',
    );
  if (!isImageName(image))
    throw new EngineError(
      'profile-invalid',
      `container.image must be the name or the id of an image, and is ${JSON.stringify(image)}.`,
    );
}

function imageMissing({ endpoint, daemon }: DockerClient, { image }: ContainerSettings): EngineError {
  const program = daemon.product.toLowerCase();
  return new EngineError(
    'engine-unavailable',
    `${endpoint.address} has no image "${image}". Nothing is pulled unasked.\nPull it in the profile, or: ${program} pull ${image}`,
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

import { type AttachSettings, attachSettingsSchema } from '../../../shared/settings/engine-settings.ts';
import { fieldName } from '../../../shared/settings/field-names.ts';
import type { Profile } from '../../../shared/settings/schema.ts';
import type { EngineStatus } from '../../../shared/terminal/engine-status.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import type { ContainerFacts } from '../docker/answers.ts';
import type { DockerClient } from '../docker/client.ts';
import { CurableError } from '../docker/curable-error.ts';
import { commandAt, type DockerEndpoint, resolveEndpoint } from '../docker/endpoint.ts';
import { askAnew, type KnownDaemon, KnownDaemons } from '../docker/known-daemons.ts';
import { isOfSession } from '../docker/labels.ts';
import { checkDeadline, failureInWords, openFailure, unreachable } from '../docker/status.ts';
import {
  EngineError,
  type RecoveryReport,
  type SandboxEngine,
  type SandboxIdentity,
  type SandboxSpec,
  type SandboxTerminal,
} from '../engine.ts';
import { validateProfile } from '../validate.ts';
import { PRIVILEGED, postureOf } from './posture.ts';
import { MAY_BEGIN, startProgram } from './program.ts';
import { releaseProgram } from './release.ts';
import { AttachedTerminal } from './terminal.ts';

const SECTION = 'attach';

/** A name or an id as Docker takes them. */
const CONTAINER_NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,254}$/;

/**
 * A program of its own in a container that runs already. What that container may reach is its maker's choice; the posture says
 * what is not known. It is never stopped or changed.
 */
export class AttachEngine implements SandboxEngine {
  readonly kind = 'attach';
  /** Nothing that a worker is promised is in Airlock's hands there. */
  readonly runsWorkers = false;
  readonly leftByOpening = MAY_BEGIN;
  readonly #daemons = new KnownDaemons();

  async probe(profile?: Profile): Promise<EngineStatus> {
    const settings = settingsOf(profile);
    const status: EngineStatus = {
      ...{ kind: 'attach', usable: false, version: null },
      ...{ summary: '', fixes: [], notes: [] },
    };
    let endpoint: DockerEndpoint | null = null;
    try {
      endpoint = resolveEndpoint(settings, SECTION);
      const signal = checkDeadline(endpoint);
      const { client } = await askAnew(endpoint, signal);
      const { product, version } = client.daemon;
      const notes = ['The container is left as it is. What it may reach and use is not bounded by Airlock.'];
      let summary = `${product} ${version} at ${endpoint.address} is ready.`;
      if (profile !== undefined) {
        checkSpec({ sessionId: 'probe', profile, project: null }, settings);
        const { Id, HostConfig } = await requireRunning(client, settings.container, signal);
        if (HostConfig.Privileged) notes.push(`The container is ${PRIVILEGED}.`);
        summary = `Container ${settings.container} (${Id.slice(0, 12)}) runs in ${product} ${version}.`;
      }
      return { ...status, usable: true, version, summary, notes };
    } catch (error) {
      return { ...status, ...failureInWords(error, endpoint) };
    }
  }

  async open(spec: SandboxSpec, size: TerminalSize, signal: AbortSignal): Promise<SandboxTerminal> {
    const settings = settingsOf(spec.profile);
    checkSpec(spec, settings);
    const endpoint = resolveEndpoint(settings, SECTION);
    try {
      const { client, info }: KnownDaemon = await this.#daemons.reach(endpoint);
      const facts = await requireRunning(client, settings.container, signal);
      const started = await startProgram(client, facts.Id, spec, size, signal).catch((error: unknown) => {
        this.#daemons.forget();
        throw openFailure(error, signal);
      });
      return new AttachedTerminal({
        client,
        ...started,
        posture: postureOf(client.daemon, info, facts),
      });
    } catch (error) {
      if (error instanceof EngineError) throw error;
      if (signal.aborted) throw openFailure(error, signal);
      throw unreachable(error, endpoint);
    }
  }

  async recover(identity: SandboxIdentity): Promise<RecoveryReport> {
    if (identity.kind !== 'program')
      return { kind: 'mismatch', reason: 'It was not started in a running container.' };
    const { endpoint: address, certificates = null, container } = identity;
    try {
      const endpoint = resolveEndpoint({ endpoint: address, certificates }, SECTION);
      const { client } = await this.#daemons.reach(endpoint);
      const { removed, steps, reason } = await releaseProgram(client, identity);
      if (!removed) return { kind: 'mismatch', reason: reason ?? 'Something is left.' };
      return { kind: steps.some(({ step }) => step.startsWith('SIG')) ? 'removed' : 'absent' };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { kind: 'mismatch', reason: `What was started in container ${container} may still run: ${why}` };
    }
  }
}

function settingsOf(profile: Profile | undefined): AttachSettings {
  return attachSettingsSchema.parse(profile?.attach ?? {});
}

/** What is refused whatever the daemon says. */
function checkSpec({ profile, project, worker }: SandboxSpec, { container }: AttachSettings): void {
  validateProfile(profile);
  if (worker)
    throw new EngineError('profile-invalid', 'No governed session runs in a container of somebody else’s.');
  if ((project ?? profile.project ?? profile.scratch) !== null)
    throw new EngineError(
      'profile-invalid',
      `A running container cannot be given folders: leave ${fieldName('project')} and ${fieldName('scratch')} empty.`,
    );
  if (profile.network === 'host')
    throw new EngineError(
      'profile-invalid',
      `${fieldName('network')} must be none: a container that runs has the network that it was given. Switch it off in the profile.`,
    );
  if (container === '')
    throw new EngineError(
      'profile-invalid',
      `${fieldName('attach.container')} must name a container that runs. Choose one in the profile.`,
    );
  if (!CONTAINER_NAME.test(container))
    throw new EngineError(
      'profile-invalid',
      `${fieldName('attach.container')} must be a name or an id, and is ${JSON.stringify(container)}.`,
    );
}

/** The container, running, and not one of Airlock's own: that is gone as soon as its session ends. */
async function requireRunning(
  client: DockerClient,
  name: string,
  signal: AbortSignal,
): Promise<ContainerFacts> {
  const facts = await client.container(name, signal);
  const command = (words: string) => commandAt(client.endpoint, client.daemon.product, words);
  if (facts === null)
    throw new CurableError('engine-unavailable', `${client.endpoint.address} has no container "${name}".`, [
      { text: 'See which there are:', command: command('ps') },
    ]);
  if (isOfSession(facts.Config.Labels))
    throw new EngineError(
      'profile-invalid',
      `Container "${name}" is one of Airlock’s own: it belongs to a session and goes with it. Choose another.`,
    );
  if (facts.State.Running) return facts;
  throw new CurableError('engine-unavailable', `Container "${name}" does not run.`, [
    { text: 'Start it:', command: command(`start ${name}`) },
  ]);
}

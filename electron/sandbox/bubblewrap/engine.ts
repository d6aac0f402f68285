import { type Profile, profileSchema } from '../../../shared/settings/schema.ts';
import { type EngineStatus, fixInWords } from '../../../shared/terminal/engine-status.ts';
import { RELEASE } from '../../../shared/terminal/limits.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import {
  EngineError,
  type RecoveryReport,
  type SandboxEngine,
  type SandboxIdentity,
  type SandboxSpec,
  type SandboxTerminal,
} from '../engine.ts';
import type { Folders } from '../host-folders.ts';
import { isGone, signalExactly } from '../process-identity.ts';
import { refusalOf, resolveFolders, validateProfile } from '../validate.ts';
import { waitUntil } from '../wait.ts';
import { bwrapVersion, findBwrap } from './executable.ts';
import { openSandbox } from './open.ts';
import { gatherFacts, type Trial } from './probe.ts';
import { seccompFilter } from './seccomp.ts';
import { decideStatus } from './status-words.ts';

export interface BubblewrapOptions {
  /** Folders with Airlock's own data, which no sandbox may see. */
  readonly privateFolders: readonly string[];
}

/** Milliseconds for the whole trial of a probe; it needs about fifty. */
const TRIAL_MS = 10_000;

/**
 * The embedded engine: bubblewrap on a PTY of the host. No daemon, no image; works as root and as a user. Linux only.
 * The promises of a sandbox are listed at `sandboxOptions`, those of its limits at `createSessionLimiter`.
 */
export class BubblewrapEngine implements SandboxEngine {
  readonly kind = 'bubblewrap';
  readonly runsWorkers = true;
  readonly #privateFolders: readonly string[];

  constructor(options: BubblewrapOptions) {
    this.#privateFolders = options.privateFolders;
  }

  async probe(profile?: Profile): Promise<EngineStatus> {
    const status = decideStatus(await gatherFacts(() => this.#tryOpening()));
    if (profile === undefined || !status.usable) return status;
    const problem = refusalOf(() => this.#foldersFor({ sessionId: 'probe', profile, project: null }));
    return problem === null ? status : { ...status, usable: false, summary: problem, notes: [] };
  }

  async open(spec: SandboxSpec, size: TerminalSize, signal: AbortSignal): Promise<SandboxTerminal> {
    const folders = this.#foldersFor(spec);
    const filter = seccompFilter(process.arch);
    const bwrap = process.platform === 'linux' ? findBwrap() : null;
    const version = bwrap ? await bwrapVersion(bwrap) : null;
    if (!filter || !bwrap || !version) {
      const { summary, fixes } = await this.probe();
      throw new EngineError('engine-unavailable', [summary, ...fixes.map(fixInWords)].join('\n'));
    }
    return openSandbox({ spec, folders, size, filter, bwrap, version }, signal);
  }

  /** What a session may see of this machine, once the profile itself is right. Throws `profile-invalid`. */
  #foldersFor(spec: SandboxSpec): Folders {
    validateProfile(spec.profile);
    return resolveFolders(spec, this.#privateFolders);
  }

  async recover(identity: SandboxIdentity): Promise<RecoveryReport> {
    if (identity.kind !== 'process') return { kind: 'mismatch', reason: 'It was not started by bubblewrap.' };
    switch (signalExactly(identity, 'SIGKILL')) {
      case 'gone':
        return { kind: 'absent' };
      case 'mismatch':
        return { kind: 'mismatch', reason: `Process ${identity.pid} is not the one that was recorded.` };
      case 'unknown':
        return { kind: 'mismatch', reason: `Process ${identity.pid} could not be looked at.` };
      case 'sent': {
        const removed = await waitUntil(() => isGone(identity), RELEASE.removalMs);
        if (removed) return { kind: 'removed' };
        return {
          kind: 'mismatch',
          reason: `Process ${identity.pid} did not end within ${RELEASE.removalMs} ms.`,
        };
      }
    }
  }

  /** A whole session with a program that ends at once: nothing less shows that a real one would open. */
  async #tryOpening(): Promise<Trial> {
    const profile = profileSchema.parse({ id: 'probe', name: 'Probe', command: ['/usr/bin/true'] });
    const spec = { sessionId: 'probe', profile, project: null };
    try {
      const terminal = await this.open(spec, { cols: 80, rows: 24 }, AbortSignal.timeout(TRIAL_MS));
      await terminal.release();
      return { ok: true, limits: terminal.posture.limits };
    } catch (error) {
      return { ok: false, message: error instanceof Error ? error.message : String(error) };
    }
  }
}

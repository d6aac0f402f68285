import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Disposable, DisposableStore } from '../../shared/disposable.ts';
import type { GovernedStatus } from '../../shared/governed/activity.ts';
import type { LoadedManifest } from '../../shared/governed/manifest.ts';
import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { Profile } from '../../shared/settings/schema.ts';
import { ENGINE_NAMES, type EngineKind } from '../../shared/terminal/engine-status.ts';
import type { ApprovalQueue } from '../approvals/approval-queue.ts';
import { auditPaths } from '../audit/audit-folder.ts';
import { SignedAuditLog } from '../audit/audit-log.ts';
import { FileKeyStore, type KeyWrapper } from '../audit/key-store.ts';
import { CheckedFileGrants } from '../publication/file-grants.ts';
import { PublicationStore } from '../publication/publication-store.ts';
import type { SandboxEngine } from '../sandbox/engine.ts';
import type { SessionRecordings } from '../session/recording.ts';
import { SessionLedger } from '../session/session-ledger.ts';
import type { SessionPlaces } from '../session/session-places.ts';
import type { SessionSink } from '../session/sink.ts';
import { systemClock } from './controller/clock.ts';
import { GovernedController } from './controller/controller.ts';
import { GovernedPane, type GovernedParts } from './governed-pane.ts';
import type { Project } from './manifest/arguments/project-checks.ts';
import { ManifestLibrary } from './manifest/manifest-library.ts';
import { CedarPolicies } from './policy/cedar-policies.ts';
import { SandboxWorkers } from './worker/sandbox-workers.ts';

export interface GovernedHostOptions {
  readonly dataDir: string;
  /** Airlock's own examples; null where they are not installed. */
  readonly examplesFolder: string | null;
  readonly engines: ReadonlyMap<EngineKind, SandboxEngine>;
  readonly ledgerFolder: string;
  readonly approvals: ApprovalQueue;
  readonly recordings: SessionRecordings;
  /** Shared with the host's shells: a pane takes one from its opening on, before it has a worker. */
  readonly places: SessionPlaces;
  /** Protects the signing key; null: a file of mode 0600 does. */
  readonly keyWrapper: KeyWrapper | null;
}

export interface OpenGoverned {
  readonly profile: Profile;
  readonly loaded: LoadedManifest;
  /** Around the manifest. */
  readonly project: Project;
  /** Root of the file grants: absolute; null without one. */
  readonly root: string | null;
}

/** Everything behind governed sessions and publications, one for a data folder: the only maker and owner of its parts. */
export class GovernedHost implements Disposable {
  readonly audit: SignedAuditLog;
  readonly publications: PublicationStore;
  readonly library: ManifestLibrary;
  readonly policies: CedarPolicies;
  readonly #controller: GovernedController;
  readonly #parts: GovernedParts;
  readonly #engines: ReadonlyMap<EngineKind, SandboxEngine>;
  readonly #ledger: SessionLedger;
  readonly #panes = new Map<string, GovernedPane>();
  readonly #places: SessionPlaces;
  readonly #owned = new DisposableStore();
  #closing = false;

  /** Rejects with AuditError when another host uses the data folder, or its log is not as it was left. */
  static async open(options: GovernedHostOptions): Promise<GovernedHost> {
    const keyStore = new FileKeyStore(auditPaths(options.dataDir), options.keyWrapper);
    const audit = await SignedAuditLog.open(options.dataDir, { keyStore });
    try {
      const publications = await PublicationStore.open({ dataDir: options.dataDir, audit });
      return new GovernedHost(options, audit, publications);
    } catch (error) {
      await audit.close();
      throw error;
    }
  }

  private constructor(options: GovernedHostOptions, audit: SignedAuditLog, publications: PublicationStore) {
    const { dataDir, examplesFolder, engines, ledgerFolder, approvals, recordings, places } = options;
    this.#engines = engines;
    this.#places = places;
    places.countIn(() => this.#panes.size);
    this.audit = audit;
    this.publications = publications;
    this.library = this.#owned.add(
      new ManifestLibrary({ userFolder: join(dataDir, 'tools'), examplesFolder }),
    );
    this.policies = this.#owned.add(new CedarPolicies(join(dataDir, 'policies')));
    this.#ledger = new SessionLedger(ledgerFolder);
    this.#controller = new GovernedController({
      workers: new SandboxWorkers({ engines, ledger: this.#ledger }),
      clock: systemClock,
      newSessionId: () => `session-${randomUUID()}`,
    });
    this.#parts = {
      controller: this.#controller,
      clock: systemClock,
      policies: this.policies,
      approvals,
      pendingApproval: (sessionId) =>
        approvals.waiting().find(({ request }) => request.sessionId === sessionId)?.request.id ?? null,
      audit,
      grants: new CheckedFileGrants(publications),
      recordings,
    };
    for (const event of ['sessionCreated', 'sessionChanged'] as const) {
      this.#owned.add(
        this.#controller.on(event, (session) => {
          for (const pane of this.#panes.values()) if (pane.owns(session)) pane.sessionChanged(session);
        }),
      );
    }
    this.#owned.add(
      approvals.onChange(() => {
        for (const pane of this.#panes.values()) if (pane.isAsking) pane.tellStatus();
      }),
    );
  }

  /** Workers of which it is not on record that nothing is left of them; known once this is closed. */
  get unconfirmed(): number {
    return this.#ledger.unconfirmed;
  }

  /** Fails with open-failed when the host closes, too-many-sessions, engine-unavailable. */
  openPane(
    { profile, loaded, project, root }: OpenGoverned,
    principalId: string,
    sink: SessionSink,
    told: (sessionId: string, status: GovernedStatus) => void,
  ): Result<GovernedPane, TaggedError> {
    if (this.#closing) return fail(taggedError('open-failed', 'Airlock is closing.'));
    const refusal = this.#places.refusal();
    if (refusal !== null) return fail(refusal);
    if (this.#engines.get(profile.engine)?.runsWorkers !== true) {
      const able = [...this.#engines.values()]
        .filter(({ runsWorkers }) => runsWorkers)
        .map(({ kind }) => ENGINE_NAMES[kind]);
      const text = `The engine “${ENGINE_NAMES[profile.engine]}” runs no governed sessions. Choose a profile with ${able.join(' or ')}.`;
      return fail(taggedError('engine-unavailable', text));
    }
    const pane: GovernedPane = new GovernedPane(this.#parts, {
      profile,
      root,
      loaded,
      project: root === null ? project : { ...project, folder: root },
      principalId,
      sink,
      status: (status) => told(pane.id, status),
    });
    this.#panes.set(pane.id, pane);
    void pane.closed.then(() => this.#panes.delete(pane.id));
    return ok(pane);
  }

  /** Ends every session; none can be opened afterwards. Resolves when all are closed. */
  async releaseAll(): Promise<void> {
    this.#closing = true;
    const panes = [...this.#panes.values()];
    for (const pane of panes) pane.end('host-closing');
    await Promise.all(panes.map((pane) => pane.closed));
  }

  /** Ends what is left and closes the log; resolves when that is done. */
  async close(): Promise<void> {
    await this.releaseAll();
    await this.#controller.closeAll();
    this.dispose();
    await this.publications.close();
    try {
      await this.audit.close();
    } finally {
      this.#ledger.close();
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

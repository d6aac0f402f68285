import { join } from 'node:path';
import { DisposableStore } from '../shared/disposable.ts';
import type { HostEvent } from '../shared/protocol/events.ts';
import type { HostDescription } from '../shared/protocol/requests.ts';
import { sandboxProfiles } from '../shared/settings/schema.ts';
import type { EngineKind } from '../shared/terminal/engine-status.ts';
import { ApprovalQueue } from './approvals/approval-queue.ts';
import { SymbiontRuntimes } from './approvals/symbiont-runtimes.ts';
import type { KeyWrapper } from './audit/key-store.ts';
import type { Carrier } from './connection/carrier.ts';
import { type Authenticate, Connection } from './connection/connection.ts';
import { EngineCatalog } from './connection/engine-catalog.ts';
import { createHandlers } from './connection/handlers/index.ts';
import { type ReportFault, Router } from './connection/router.ts';
import type {
  ApprovalPlace,
  ContainerDaemons,
  HostServices,
  Machines,
  PlatformServices,
} from './connection/services.ts';
import { GovernedHost } from './governed/governed-host.ts';
import { LateAuditLog } from './governed/late-audit-log.ts';
import { resourcePath } from './resource-path.ts';
import { listContainers, listImages, pullImage } from './sandbox/docker/images.ts';
import type { SandboxEngine } from './sandbox/engine.ts';
import { SmolvmEngine } from './sandbox/smolvm/engine.ts';
import { RecoveryNotices } from './session/recovery-notices.ts';
import { SessionPlaces } from './session/session-places.ts';
import { SessionRegistry } from './session/session-registry.ts';
import { prepareDataDir } from './settings/data-dir.ts';
import { HostTokens } from './settings/host-tokens.ts';
import type { OpenSettingsFile } from './settings/settings-file.ts';
import { SettingsStore } from './settings/settings-store.ts';
import { Exchanges } from './transcripts/exchange/exchanges.ts';
import { TranscriptLibrary } from './transcripts/library/library.ts';
import { markApprovals, markPublications } from './transcripts/recording/linker.ts';
import { Recordings } from './transcripts/recording/recordings.ts';

export interface HostOptions {
  readonly kind: HostDescription['host'];
  readonly version: string;
  /** Absolute; made when missing. */
  readonly dataDir: string;
  readonly engines: readonly SandboxEngine[];
  /** The daemons that profiles name; those that answer the Docker Engine API when left out. */
  readonly containers?: ContainerDaemons;
  readonly openSettingsFile: OpenSettingsFile;
  readonly platform: PlatformServices;
  /** Milliseconds that a person has for a decision (A5); APPROVAL.waitMs when left out. */
  readonly approvalWaitMs?: number | undefined;
  /** Protects the signing key of the audit log and the tokens; files of mode 0600 when left out. */
  readonly keyWrapper?: KeyWrapper | null;
  readonly report: ReportFault;
}

/** How many sessions closing has ended, and of how many of the host's it is not on record that nothing is left. */
export interface Closed {
  readonly sessions: number;
  readonly unconfirmed: number;
}

/**
 * Everything behind the connections, the same on the desktop and headless: engines, sessions, settings. Owns them and
 * every connection that it made.
 */
export class Host {
  readonly settings: SettingsStore;
  readonly engines: EngineCatalog;
  readonly registry: SessionRegistry;
  readonly recordings: Recordings;
  readonly library: TranscriptLibrary;
  readonly exchanges: Exchanges;
  readonly approvals: ApprovalQueue;
  readonly symbiont: SymbiontRuntimes;
  /** Rejects with the reason when the data folder's audit log cannot be written. */
  readonly governed: Promise<GovernedHost>;
  /** Of sessions whose host died and that could not be ended (ST-25, ST-26). */
  readonly recovery: RecoveryNotices;
  readonly #smolvmTokens: HostTokens;
  readonly #router: Router;
  readonly #report: ReportFault;
  readonly #connections = new Set<Connection>();
  readonly #places = new SessionPlaces();
  readonly #owned = new DisposableStore();
  #closing: Promise<Closed> | null = null;

  /** Throws when the data folder cannot be made. */
  constructor(options: HostOptions) {
    prepareDataDir(options.dataDir);
    this.#report = options.report;
    this.settings = this.#owned.add(new SettingsStore(options.dataDir, options.openSettingsFile));
    this.engines = new EngineCatalog(options.engines);
    this.recordings = new Recordings({ folder: join(options.dataDir, 'transcripts') });
    this.registry = new SessionRegistry({
      engines: new Map<EngineKind, SandboxEngine>(options.engines.map((engine) => [engine.kind, engine])),
      ledgerFolder: join(options.dataDir, 'sessions'),
      recordings: this.recordings,
      places: this.#places,
    });
    const governed = Promise.withResolvers<GovernedHost>();
    this.governed = governed.promise;
    const audit = new LateAuditLog(this.governed.then(({ audit }) => audit));
    this.approvals = this.#owned.add(new ApprovalQueue({ audit, waitMs: options.approvalWaitMs }));
    const { folder } = this.recordings;
    this.library = new TranscriptLibrary({
      folder,
      log: audit,
      fault: (message) => this.#report('transcripts', message),
    });
    this.exchanges = new Exchanges({ folder, scratchFolder: join(options.dataDir, 'exchange') });
    governed.resolve(this.#openGoverned(options));
    this.#owned.add(markApprovals(this.approvals, this.recordings));
    this.#owned.add(this.recordings.onProgress((growth) => this.library.grew(growth)));
    this.#owned.add(this.library.onChange(() => this.broadcast({ event: 'transcripts.changed' })));
    this.#owned.add(this.approvals.onChange(() => this.broadcast({ event: 'approvals.changed' })));
    this.symbiont = this.#owned.add(
      new SymbiontRuntimes({
        settings: this.settings,
        tokens: new HostTokens(options.dataDir, 'symbiont', options.keyWrapper ?? null),
        queue: this.approvals,
        recordable: this.governed,
      }),
    );
    this.#owned.add(this.symbiont.onChange(() => this.broadcast({ event: 'symbiont.changed' })));
    this.#smolvmTokens = new HostTokens(options.dataDir, 'smolvm', options.keyWrapper ?? null);
    this.#dropTokens();
    this.#owned.add(this.settings.onChange(() => this.#dropTokens()));
    this.recovery = new RecoveryNotices(this.registry.recoverSessions(), (session) =>
      this.registry.settle(session),
    );
    this.#router = new Router(createHandlers(this.#services(options)), options.report);
    this.#owned.add(
      this.settings.onChange((snapshot) => this.broadcast({ event: 'settings.changed', snapshot })),
    );
    this.#owned.add(
      this.engines.onChange((engines) => this.broadcast({ event: 'engines.changed', engines })),
    );
  }

  /** A new client. `authenticate` decides when its hello has come. */
  connect(carrier: Carrier, authenticate: Authenticate, approvalPlace?: ApprovalPlace): Connection {
    const connection = new Connection({
      carrier,
      authenticate,
      router: this.#router,
      registry: this.registry,
      report: this.#report,
      approvalPlace,
    });
    this.#connections.add(connection);
    void connection.closed.then(() => this.#connections.delete(connection));
    if (this.#closing !== null) void connection.close();
    return connection;
  }

  broadcast(event: HostEvent): void {
    for (const connection of this.#connections) connection.sendEvent(event);
  }

  /** Sessions of all clients, governed ones included, that are opening, open or being released. */
  get sessionCount(): number {
    return [...this.#connections].reduce((sum, { sessionCount }) => sum + sessionCount, 0);
  }

  /** Tells every client, releases every session, ends every connection; resolves when that is done. Never rejects. */
  close(reason: string): Promise<Closed> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  async #close(reason: string): Promise<Closed> {
    const sessions = this.sessionCount;
    this.broadcast({ event: 'host.closing', reason });
    // Before the connections end, so that clients still hear how their sessions ended.
    await Promise.all([
      this.#attempt(() => this.registry.releaseAll('host-closing')),
      this.#attempt(async () => (await this.#governedIfOpen())?.releaseAll()),
    ]);
    await Promise.all([...this.#connections].map((connection) => connection.close()));
    await this.#attempt(() => this.symbiont.close());
    // Its last records go into the log, which is closed next.
    await this.#attempt(() => this.approvals.close());
    await this.#attempt(async () => (await this.#governedIfOpen())?.close());
    await this.#attempt(() => this.recordings.close());
    await Promise.all([
      this.#attempt(() => this.library.close()),
      this.#attempt(() => this.exchanges.close()),
    ]);
    await this.#attempt(async () => this.#owned.dispose());
    const workers = (await this.#governedIfOpen())?.unconfirmed ?? 0;
    return { sessions, unconfirmed: this.registry.unconfirmed + workers };
  }

  /** A step of closing: one that fails is reported and keeps none from its turn. */
  async #attempt(step: () => Promise<unknown>): Promise<void> {
    await step().catch((fault) => this.#report('close', fault));
  }

  #governedIfOpen(): Promise<GovernedHost | null> {
    return this.governed.catch(() => null);
  }

  /** A token goes with its profile, but not when the settings file merely cannot be used, or is away. */
  #dropTokens(): void {
    if (!this.settings.areOfFile) return;
    const profiles = sandboxProfiles(this.settings.snapshot().settings);
    this.#smolvmTokens.keepOnly(new Set(profiles.map(({ id }) => id)));
  }

  async #openGoverned(options: HostOptions): Promise<GovernedHost> {
    const governed = await GovernedHost.open({
      dataDir: options.dataDir,
      examplesFolder: resourcePath('manifests'),
      engines: new Map(options.engines.map((engine) => [engine.kind, engine])),
      ledgerFolder: join(options.dataDir, 'sessions'),
      keyWrapper: options.keyWrapper ?? null,
      approvals: this.approvals,
      recordings: this.recordings,
      places: this.#places,
    });
    this.#owned.add(markPublications(governed.publications, this.recordings));
    this.#owned.add(governed.library.on('changed', () => this.broadcast({ event: 'manifests.changed' })));
    this.#owned.add(governed.publications.onChange(() => this.broadcast({ event: 'publications.changed' })));
    return governed;
  }

  #services(options: HostOptions): HostServices {
    const { kind, version, dataDir, platform } = options;
    const description = {
      version,
      host: kind,
      platform: platformName(),
      dataDir,
      settingsPath: this.settings.path,
    };
    return {
      description,
      settings: this.settings,
      engines: this.engines,
      containers: options.containers ?? DAEMONS,
      machines: machinesOf(options.engines),
      platform,
      recovery: this.recovery,
      approvals: this.approvals,
      recordings: this.recordings,
      symbiont: this.symbiont,
      library: this.library,
      exchanges: this.exchanges,
      governed: this.governed,
    };
  }
}

const DAEMONS: ContainerDaemons = { images: listImages, running: listContainers, pull: pullImage };

function machinesOf(engines: readonly SandboxEngine[]): Machines | null {
  return engines.find((engine) => engine instanceof SmolvmEngine)?.machines ?? null;
}

function platformName(): HostDescription['platform'] {
  const { platform } = process;
  return platform === 'linux' || platform === 'darwin' || platform === 'win32' ? platform : 'other';
}

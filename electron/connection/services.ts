import type { Rectangle } from '../../shared/protocol/governed-requests.ts';
import type { FolderUse, HostDescription } from '../../shared/protocol/requests.ts';
import type { ApprovalQueue } from '../approvals/approval-queue.ts';
import type { SymbiontRuntimes } from '../approvals/symbiont-runtimes.ts';
import type { GovernedHost } from '../governed/governed-host.ts';
import type { listContainers, listImages, pullImage } from '../sandbox/docker/images.ts';
import type { SmolvmMachines } from '../sandbox/smolvm/machines.ts';
import type { RecoveryNotices } from '../session/recovery-notices.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { Exchanges } from '../transcripts/exchange/exchanges.ts';
import type { TranscriptLibrary } from '../transcripts/library/library.ts';
import type { Recordings } from '../transcripts/recording/recordings.ts';
import type { EngineCatalog } from './engine-catalog.ts';

/** What a desktop can do and a headless host cannot. */
export interface PlatformServices {
  /** Opens an address that passed the link policy in the system's browser. */
  openExternal?(href: string): Promise<void>;
  /** A native folder dialog; null when cancelled. */
  chooseFolder?(use: FolderUse): Promise<string | null>;
  /** Shows a file in the system's file manager. */
  revealFile?(path: string): void;
  /** Headless: the approval page's own origin. */
  approvalAddress?(): string | null;
}

/** The approval page of one client's window, where the host puts it there itself. */
export interface ApprovalPlace {
  /** Where it is, and the request that it shows first. Never moves the focus. */
  place(place: Rectangle | null, show?: string): void;
  /** A person asked by key to go there. */
  focus(): void;
}

/** The daemons that container profiles name, for the pickers. Rejects with EngineError, but for a pull that is given up. */
export interface ContainerDaemons {
  readonly images: typeof listImages;
  readonly running: typeof listContainers;
  readonly pull: typeof pullImage;
}

/** The machines of smolvm servers, for a person who manages them. */
export type Machines = Pick<
  SmolvmMachines,
  | 'list'
  | 'create'
  | 'start'
  | 'stop'
  | 'delete'
  | 'unresolved'
  | 'resolve'
  | 'hasToken'
  | 'saveToken'
  | 'forgetToken'
>;

/** Everything of the host that the handlers of requests use. */
export interface HostServices {
  readonly description: HostDescription;
  readonly settings: SettingsStore;
  readonly engines: EngineCatalog;
  readonly containers: ContainerDaemons;
  /** Null where this host has no such engine. */
  readonly machines: Machines | null;
  readonly platform: PlatformServices;
  readonly recovery: RecoveryNotices;
  readonly approvals: ApprovalQueue;
  readonly recordings: Recordings;
  readonly symbiont: SymbiontRuntimes;
  readonly library: TranscriptLibrary;
  readonly exchanges: Exchanges;
  /** Rejects when the data folder's audit log cannot be written, with the reason. */
  readonly governed: Promise<GovernedHost>;
}

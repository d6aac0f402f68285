import type { HostDescription } from '../../shared/protocol/requests.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { EngineCatalog } from './engine-catalog.ts';

/** What a desktop can do and a headless host cannot. */
export interface PlatformServices {
  /** Opens an address that passed the link policy in the system's browser. */
  openExternal?(href: string): Promise<void>;
  /** A native folder dialog; null when cancelled. */
  chooseFolder?(): Promise<string | null>;
}

/** Everything of the host that the handlers of requests use. */
export interface HostServices {
  readonly description: HostDescription;
  readonly settings: SettingsStore;
  readonly engines: EngineCatalog;
  readonly platform: PlatformServices;
}

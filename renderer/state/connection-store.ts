import { create } from 'zustand';
import type { HostDescription } from '../../shared/protocol/requests.ts';
import type { ConnectionState } from '../connection/connection-state.ts';

interface ConnectionStore {
  readonly connection: ConnectionState;
  /** What the host is; null until it has said so. Kept over a lost connection. */
  readonly host: HostDescription | null;
  /** What the host said before it closed, if it did. */
  readonly farewell: string | null;
}

export const useConnection = create<ConnectionStore>(() => ({
  connection: { kind: 'connecting' },
  host: null,
  farewell: null,
}));

import type { Growth } from '../index/index-keeper.ts';
import type { Catalogue } from '../query/catalogue.ts';

/** What the thread that writes the index is asked. */
export interface KeeperCalls {
  grew(growth: Growth): void;
  /** Makes the index where there is none. Why there is none after all, in words; null when there is one. */
  ensure(): string | null;
  /** It was found to be damaged. */
  rebuild(): void;
  scan(): void;
  runningOf(ids: readonly string[]): string[];
  remove(ids: readonly string[]): void;
}

/** What the thread that reads it is asked. */
export type ReaderCalls = Pick<
  Catalogue,
  'list' | 'open' | 'seek' | 'read' | 'text' | 'find' | 'moments' | 'describe' | 'retention'
>;

export type Role = 'keeper' | 'reader';

export interface ThreadData {
  readonly role: Role;
  /** Of all transcripts. */
  readonly folder: string;
}

export interface Call {
  readonly n: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

export type FromThread =
  | { readonly kind: 'answer'; readonly n: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly n: number; readonly failure: Failure }
  | { readonly kind: 'changed' }
  | { readonly kind: 'fault'; readonly message: string };

/** `missing`: there is no index to read, or not one of this version. */
export interface Failure {
  readonly kind: 'missing' | 'damaged' | 'other';
  readonly message: string;
}

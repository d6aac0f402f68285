import { SMOLVM_PIECE_MAX_BYTES } from '../../../shared/settings/engine-settings.ts';

/**
 * What is the engine's own of the client rules; the rest are fields of a profile (`smolvmSettingsSchema`). Times are
 * milliseconds.
 */
const KIB = 1024;

/** Versions whose contract is known. Never a range: a terminal of another one may take a frame for something else. */
export const SMOLVM_VERSIONS = ['1.17.0', '1.19.0', '1.20.2'] as const;

export interface SmolvmTiming {
  /** Preflight, connecting and the upgrade together (rule 2). */
  readonly handshakeMs: number;
  /** Until the other side accepts a connection (rule 2). */
  readonly connectMs: number;
  /** One request that changes nothing. */
  readonly readMs: number;
  /** One request that makes, starts, stops or deletes a machine: it may boot it, or pull an image. */
  readonly changeMs: number;
  /** One write to the socket (rule 4). */
  readonly writeMs: number;
  /**
   * Between two pieces of a paste when nothing comes back. The server looks at its input up to every 100 ms, and gives what
   * has gathered to the terminal at once, which drops what does not fit.
   */
  readonly paceMs: number;
}

export const SMOLVM_TIMING: SmolvmTiming = {
  handshakeMs: 30_000,
  connectMs: 1_000,
  readMs: 5_000,
  changeMs: 120_000,
  writeMs: 1_000,
  paceMs: 120,
};

/** Bytes. `piece`: of a paste, between two echoes. `head`: of an answer's head. `controlText`: of a text message (rule 3). */
export const SMOLVM_BYTES = {
  piece: SMOLVM_PIECE_MAX_BYTES,
  frame: 64 * KIB,
  head: 16 * KIB,
  body: 1024 * KIB,
  controlText: 128,
  program: 4096,
  pem: 1024 * KIB,
} as const;

/** Fragments of one message, and pieces in which one comes (rule 3). */
export const SMOLVM_CHUNKS_MAX = 1_024;

/** Machines of one server that are listed. */
export const SMOLVM_MACHINES_MAX = 1_024;

import type { FileHandle } from 'node:fs/promises';
import type { Channels } from '../guest-link.ts';
import type { MonitorProcess } from './process.ts';

/** One machine, whatever monitor runs it. It has no network device, no disk and no folder of the host. */
export interface MachinePlan {
  /** Opened for reading: the monitor gets the descriptors, and needs no right to any path. */
  readonly kernel: FileHandle;
  readonly initramfs: FileHandle;
  readonly memoryMiB: number;
  readonly processors: number;
}

/** A machine that was started. */
export interface Machine {
  readonly process: MonitorProcess;
  /** As in "QEMU microvm, KVM". */
  readonly name: string;
  readonly version: string;
  /** Resolves with both channels. Rejects, in words, when the monitor refuses or ends, or `signal` aborts. */
  dial(signal: AbortSignal): Promise<Channels>;
  /** Removes what was made for it in the file system; its process is gone by then. Idempotent. */
  removeFiles(): Promise<void>;
}

export interface Monitor {
  /** Rejects with EngineError. */
  start(plan: MachinePlan): Promise<Machine>;
}

/** What every kernel is told: no words but failures, and no waiting after one. */
export const KERNEL_ARGUMENTS = [
  'console=ttyS0',
  'quiet',
  'panic=-1',
  'random.trust_cpu=on',
  'pci=off',
] as const;

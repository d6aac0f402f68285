import { buildGuest } from './sandbox/microvm/guest/build.ts';
import { prepareDataDir } from './settings/data-dir.ts';

export interface GuestBuildOptions {
  readonly dataDir: string;
  readonly kernelPackage: string;
}

/**
 * `airlock guest build`: says each step, and what was built or what went wrong. False where nothing was built. Who interrupts it
 * keeps the guest before, and nothing of this one.
 */
export async function guestBuild({ dataDir, kernelPackage }: GuestBuildOptions): Promise<boolean> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort(new Error('it was interrupted'));
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    prepareDataDir(dataDir);
    const { kernel, initramfs, kernelRelease } = await buildGuest(
      dataDir,
      kernelPackage,
      console.log,
      interrupted.signal,
    );
    console.log(`The guest is built: Linux ${kernelRelease}.`);
    console.log(`  kernel       ${kernel.bytes} bytes, SHA-256 ${kernel.sha256}`);
    console.log(`  file system  ${initramfs.bytes} bytes, SHA-256 ${initramfs.sha256}`);
    return true;
  } catch (error) {
    console.error(`error: no guest was built: ${(error as Error).message}`);
    return false;
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

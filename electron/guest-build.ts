import { buildGuest } from './sandbox/microvm/guest/build.ts';
import { prepareDataDir } from './settings/data-dir.ts';

export interface GuestBuildOptions {
  readonly dataDir: string;
  readonly kernelPackage: string;
}

/** `airlock guest build`: says each step, and what was built or what went wrong. False where nothing was built. */
export async function guestBuild({ dataDir, kernelPackage }: GuestBuildOptions): Promise<boolean> {
  try {
    prepareDataDir(dataDir);
    const { kernel, initramfs, kernelRelease } = await buildGuest(dataDir, kernelPackage, console.log);
    console.log(`The guest is built: Linux ${kernelRelease}.`);
    console.log(`  kernel       ${kernel.bytes} bytes, SHA-256 ${kernel.sha256}`);
    console.log(`  file system  ${initramfs.bytes} bytes, SHA-256 ${initramfs.sha256}`);
    return true;
  } catch (error) {
    console.error(`error: no guest was built: ${(error as Error).message}`);
    return false;
  }
}

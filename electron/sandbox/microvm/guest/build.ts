import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resourcePath } from '../../../resource-path.ts';
import { removeProcessFolder } from '../../process-folder.ts';
import { PROTOCOL } from '../protocol.ts';
import { guestContents } from './contents.ts';
import { cpioArchive } from './cpio.ts';
import { type DownloadedPackage, downloadPackages, unpackPackage } from './packages.ts';
import { GUEST_MAX_BYTES, type GuestRecord, GuestStore } from './store.ts';
import { extractVmlinux } from './vmlinux.ts';
import { makeWorkFolder } from './work-folder.ts';

/**
 * Builds the guest of the micro-VM engine from Debian's packages: the kernel, and a file system with busybox, bash, perl
 * and the agent. Nothing is installed, nothing needs root. The guest before stays until the new one is whole. Throws in
 * words, or the reason of `signal`; `say` gets one line for each step.
 */
export async function buildGuest(
  dataDir: string,
  kernelPackage: string,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<GuestRecord> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('A guest is built on 64-bit x86 Linux, for machines of the same kind.');
  const scripts = await readScripts();
  const work = await makeWorkFolder(join(dataDir, 'microvm'));
  try {
    const folders = { packages: join(work, 'packages'), root: join(work, 'root') };
    for (const folder of Object.values(folders)) await mkdir(folder);
    say('Downloading packages …');
    const packages = await downloadPackages(kernelPackage, folders.packages, signal);
    for (const { name, version } of packages) say(`  ${name} ${version}`);
    say('Unpacking …');
    for (const each of packages) await unpackPackage(each, folders.root, signal);
    const release = await kernelRelease(folders.root);
    const image = await readFile(join(folders.root, 'boot', `vmlinuz-${release}`));
    const kernel = extractVmlinux(image, GUEST_MAX_BYTES.kernel);
    const initramfs = cpioArchive(await guestContents(folders.root, release, scripts));
    if (initramfs.length > GUEST_MAX_BYTES.initramfs)
      throw new Error(
        `The file system has ${initramfs.length} bytes; at most ${GUEST_MAX_BYTES.initramfs} are taken.`,
      );
    signal.throwIfAborted();
    say('Writing …');
    return await new GuestStore(dataDir).publish(
      { kernel, initramfs },
      { protocol: PROTOCOL, kernelRelease: release, packages: await Promise.all(packages.map(withDigest)) },
    );
  } finally {
    await removeProcessFolder(work);
  }
}

async function withDigest({ name, version, file }: DownloadedPackage) {
  return {
    name,
    version,
    sha256: createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  };
}

async function readScripts() {
  const folder = resourcePath('microvm');
  if (folder === null || !existsSync(join(folder, 'agent.pl')))
    throw new Error('The files of the guest (resources/microvm) are missing.');
  return { init: await readFile(join(folder, 'init')), agent: await readFile(join(folder, 'agent.pl')) };
}

async function kernelRelease(root: string): Promise<string> {
  const names = await readdir(join(root, 'boot')).catch((): string[] => []);
  const release = names.map((name) => /^vmlinuz-(.+)$/.exec(name)?.[1]).find(Boolean);
  if (release === undefined) throw new Error('The kernel package has no kernel in /boot.');
  return release;
}

import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fieldName } from '../../../../shared/settings/field-names.ts';

/** Milliseconds for one call of apt or dpkg. */
const TOOL_MS = 300_000;

/** Bytes of what one of them says. */
const OUTPUT_MAX_BYTES = 1024 * 1024;

/** What the guest is made of, besides the kernel. */
const GUEST_PACKAGES = [
  'busybox-static',
  'bash',
  'perl-base',
  'libc6',
  'libcrypt1',
  'libtinfo6',
  'ncurses-base',
] as const;

export interface DownloadedPackage {
  readonly name: string;
  readonly version: string;
  /** Absolute path of the .deb file. */
  readonly file: string;
}

/**
 * Downloads the packages into `folder` with apt-get, which checks their signatures, and installs nothing. `kernel` is a
 * kernel's package or a metapackage that depends on one. Throws in words.
 */
export async function downloadPackages(kernel: string, folder: string): Promise<DownloadedPackage[]> {
  const names = [await kernelPackage(kernel), ...GUEST_PACKAGES];
  // As root, apt would download as a user who cannot write here, and complain.
  const asRoot = process.getuid?.() === 0 ? ['-o', 'APT::Sandbox::User=root'] : [];
  await tool('apt-get', ['-qq', ...asRoot, 'download', ...names], folder);
  const files = await readdir(folder);
  return names.map((name) => {
    // NAME_VERSION_ARCHITECTURE.deb, with a colon as %3a.
    const file = files.find((candidate) => candidate.startsWith(`${name}_`) && candidate.endsWith('.deb'));
    if (file === undefined) throw new Error(`apt-get downloaded no ${name}.`);
    return { name, version: decodeURIComponent(file.split('_')[1] ?? ''), file: join(folder, file) };
  });
}

/** Unpacks a package's files, and runs none of its scripts. */
export async function unpackPackage({ file }: DownloadedPackage, folder: string): Promise<void> {
  await tool('dpkg-deb', ['--extract', file, folder], folder);
}

async function kernelPackage(name: string): Promise<string> {
  const depends = await tool('apt-cache', ['depends', '--important', name], '/');
  const image = /^\s*Depends: (linux-image-\S+)$/m.exec(depends)?.[1];
  return image ?? name;
}

async function tool(program: string, args: readonly string[], cwd: string): Promise<string> {
  const options = {
    cwd,
    timeout: TOOL_MS,
    maxBuffer: OUTPUT_MAX_BYTES,
    env: { ...process.env, LC_ALL: 'C' },
  };
  try {
    const { stdout } = await promisify(execFile)(program, [...args], options);
    return stdout;
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT')
      throw new Error(
        `${program} is not here: a guest is built from Debian's packages, on Debian or Ubuntu. Built elsewhere, it can be named in a profile as ${fieldName('microvm.kernel')} and ${fieldName('microvm.initramfs')}.`,
      );
    const words = (stderr ?? '').trim().split('\n').at(-1);
    throw new Error(`${program} failed: ${words || (error as Error).message}`);
  }
}

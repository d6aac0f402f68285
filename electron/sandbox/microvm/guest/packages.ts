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
 * kernel's package or a metapackage that depends on one. Throws in words, or the reason of `signal`.
 */
export async function downloadPackages(
  kernel: string,
  folder: string,
  signal: AbortSignal,
): Promise<DownloadedPackage[]> {
  const names = [await kernelPackage(kernel, signal), ...GUEST_PACKAGES];
  // As root, apt would download as a user who cannot write here, and complain.
  const asRoot = process.getuid?.() === 0 ? ['-o', 'APT::Sandbox::User=root'] : [];
  await tool('apt-get', ['-qq', ...asRoot, 'download', ...names], folder, signal);
  const files = await readdir(folder);
  return names.map((name) => {
    // NAME_VERSION_ARCHITECTURE.deb, with a colon as %3a.
    const file = files.find((candidate) => candidate.startsWith(`${name}_`) && candidate.endsWith('.deb'));
    if (file === undefined) throw new Error(`apt-get downloaded no ${name}.`);
    return { name, version: decodeURIComponent(file.split('_')[1] ?? ''), file: join(folder, file) };
  });
}

/** Unpacks a package's files, and runs none of its scripts. */
export async function unpackPackage(
  { file }: DownloadedPackage,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  await tool('dpkg-deb', ['--extract', file, folder], folder, signal);
}

async function kernelPackage(name: string, signal: AbortSignal): Promise<string> {
  const depends = await tool('apt-cache', ['depends', '--important', name], '/', signal);
  const image = /^\s*Depends: (linux-image-\S+)$/m.exec(depends)?.[1];
  return image ?? name;
}

async function tool(
  program: string,
  args: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const options = {
    cwd,
    timeout: TOOL_MS,
    maxBuffer: OUTPUT_MAX_BYTES,
    env: { ...process.env, LC_ALL: 'C' },
  };
  const running = promisify(execFile)(program, [...args], options);
  // Not by the options: they do not wait until it is gone, and it would go on writing.
  const end = () => void running.child.kill();
  signal.addEventListener('abort', end, { once: true });
  try {
    const { stdout } = await running;
    return stdout;
  } catch (error) {
    signal.throwIfAborted();
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT')
      throw new Error(
        `${program} is not here: a guest is built from Debian's packages, on Debian or Ubuntu. Built elsewhere, it can be named in a profile as ${fieldName('microvm.kernel')} and ${fieldName('microvm.initramfs')}.`,
      );
    const words = (stderr ?? '').trim().split('\n').at(-1);
    throw new Error(`${program} failed: ${words || (error as Error).message}`);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

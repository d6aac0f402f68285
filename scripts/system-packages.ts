/**
 * The system packages that Airlock and its tests use: found, installed where that needs no questions (root on a
 * Debian system), else named with the exact command.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';

interface SystemPackage {
  readonly purpose: string;
  /** Any of these programs on the PATH means that it is there. */
  readonly programs: readonly string[];
  /** Package name per system; absent where the package does not exist there. */
  readonly names: {
    readonly debian: string;
    readonly fedora?: string;
    readonly arch?: string;
    readonly macos?: string;
  };
  /** Units of systemd on Debian that would listen on the network from then on. The tests start servers of their own. */
  readonly units?: readonly string[];
}

export const PACKAGES = {
  bubblewrap: {
    purpose: 'the sandbox of the embedded engine',
    programs: ['bwrap'],
    names: { debian: 'bubblewrap', fedora: 'bubblewrap', arch: 'bubblewrap' },
  },
  chromium: {
    purpose: 'the browser of the end-to-end tests',
    programs: ['chromium', 'chromium-browser', 'google-chrome'],
    names: { debian: 'chromium', fedora: 'chromium', arch: 'chromium', macos: '--cask chromium' },
  },
  chromiumShell: {
    purpose:
      'the same browser without windows of its own, in which most end-to-end tests take a fifth less time',
    programs: ['chromium-headless-shell'],
    names: { debian: 'chromium-headless-shell' },
  },
  xvfb: {
    purpose: 'the display of the end-to-end tests',
    programs: ['Xvfb'],
    names: { debian: 'xvfb', fedora: 'xorg-x11-server-Xvfb', arch: 'xorg-server-xvfb' },
  },
  docker: {
    purpose: 'the tests of containers in Docker',
    programs: ['dockerd'],
    names: { debian: 'docker.io', fedora: 'moby-engine', arch: 'docker' },
  },
  podman: {
    purpose: 'the tests of containers in Podman',
    programs: ['podman'],
    names: { debian: 'podman', fedora: 'podman', arch: 'podman' },
  },
  catatonit: {
    purpose: 'the first process of Podman’s containers',
    programs: ['catatonit'],
    names: { debian: 'catatonit', fedora: 'catatonit', arch: 'catatonit' },
  },
  runc: {
    purpose: 'what Docker and Podman start containers with, in the tests',
    programs: ['runc'],
    names: { debian: 'runc', fedora: 'runc', arch: 'runc' },
  },
  crun: {
    purpose: 'what Podman without root starts containers with, in the tests',
    programs: ['crun'],
    names: { debian: 'crun', fedora: 'crun', arch: 'crun' },
  },
  uidmap: {
    purpose: 'the users of daemons without root, in the tests',
    programs: ['newuidmap'],
    names: { debian: 'uidmap', fedora: 'shadow-utils', arch: 'shadow' },
  },
  rootlesskit: {
    purpose: 'the tests of Docker without root',
    programs: ['rootlesskit'],
    names: { debian: 'rootlesskit', arch: 'rootlesskit' },
  },
  gvisor: {
    purpose: 'the tests of containers on gVisor',
    programs: ['runsc'],
    names: { debian: 'runsc' },
  },
  busybox: {
    purpose: 'the image of the tests of containers',
    programs: ['busybox'],
    names: { debian: 'busybox-static', fedora: 'busybox', arch: 'busybox' },
  },
  registry: {
    purpose: 'the tests of pulling images',
    programs: ['docker-registry'],
    names: { debian: 'docker-registry' },
    units: ['docker-registry.service'],
  },
  sshd: {
    purpose: 'the tests of daemons that are reached by ssh',
    programs: ['sshd'],
    names: { debian: 'openssh-server', fedora: 'openssh-server', arch: 'openssh' },
    units: ['ssh.service', 'ssh.socket'],
  },
  qemu: {
    purpose: 'the tests of micro-VMs',
    programs: ['qemu-system-x86_64'],
    names: { debian: 'qemu-system-x86', fedora: 'qemu-system-x86-core', arch: 'qemu-system-x86' },
  },
} as const satisfies Record<string, SystemPackage>;

export type PackageName = keyof typeof PACKAGES;

/** Absolute path of the first of these programs that is on the PATH, or null. */
export function findProgram(programs: readonly string[]): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const program of programs) {
      const path = join(folder, program);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not in this folder.
      }
    }
  }
  return null;
}

function isMissing(name: PackageName): boolean {
  return findProgram(PACKAGES[name].programs) === null;
}

/** The commands that install these packages, one line per kind of system. */
export function installCommands(names: readonly PackageName[], platform: NodeJS.Platform): string[] {
  const on = (system: keyof SystemPackage['names']): string =>
    names.flatMap((name) => (PACKAGES[name] as SystemPackage).names[system] ?? []).join(' ');
  if (platform === 'darwin') return on('macos') === '' ? [] : [`macOS:          brew install ${on('macos')}`];
  if (platform !== 'linux') return [];
  return [
    `Debian, Ubuntu: sudo apt-get install --no-install-recommends ${on('debian')}`,
    `Fedora:         sudo dnf install ${on('fedora')}`,
    `Arch:           sudo pacman -S ${on('arch')}`,
  ];
}

/** Where packages can be installed without a question: what tests need only there is asked of no other machine. */
export function canInstallUnasked(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

/** As `systemctl mask` does it, and also where systemd does not run now. What somebody has set up already is left as it is. */
export function keepFromStarting(units: readonly string[], folder = '/etc/systemd/system'): void {
  mkdirSync(folder, { recursive: true });
  for (const unit of units) if (!existsSync(join(folder, unit))) symlinkSync('/dev/null', join(folder, unit));
}

function aptInstall(names: readonly PackageName[]): boolean {
  const units = names.flatMap((name) => (PACKAGES[name] as SystemPackage).units ?? []);
  keepFromStarting(units);
  const packages = names.map((name) => PACKAGES[name].names.debian);
  console.error(`Installing ${packages.join(', ')} (apt-get) …`);
  if (units.length > 0)
    console.error(`Their services are kept from starting; to use them: systemctl unmask ${units.join(' ')}`);
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  const install = () => apt('install', '-y', '-qq', '--no-install-recommends', ...packages);
  return (apt('update', '-qq') && install()) || install();
}

/**
 * Makes sure that the packages are there. Returns those that are still missing, having said on stderr what each is
 * for and how it is installed.
 */
export function ensurePackages(names: readonly PackageName[]): PackageName[] {
  const missing = names.filter(isMissing);
  if (missing.length === 0) return [];
  if (canInstallUnasked() && aptInstall(missing)) return missing.filter(isMissing);
  for (const name of missing)
    console.error(`Missing: ${PACKAGES[name].programs[0]}, ${PACKAGES[name].purpose}.`);
  for (const command of installCommands(missing, process.platform)) console.error(`  ${command}`);
  return missing;
}

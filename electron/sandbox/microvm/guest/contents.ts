import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ArchiveEntry } from './cpio.ts';
import { USER } from './user.ts';

/** Milliseconds for busybox to list what it can do. */
const LIST_MS = 10_000;

/**
 * Drivers by their place below `kernel/`, in the order of loading. A kernel may have any of them built in. The guest has
 * none for a network, a disk or a shared folder.
 */
const DRIVERS = [
  'drivers/virtio/virtio_ring',
  'drivers/virtio/virtio',
  'drivers/virtio/virtio_mmio',
  'drivers/char/virtio_console',
  'net/vmw_vsock/vsock',
  'net/vmw_vsock/vmw_vsock_virtio_transport_common',
  'net/vmw_vsock/vmw_vsock_virtio_transport',
] as const;

/** Programs and libraries by their name in the guest's /usr, and where a package may have them. */
const BINARIES = [
  { target: 'usr/bin/busybox', names: ['bin/busybox'] },
  { target: 'usr/bin/bash', names: ['bin/bash'] },
  { target: 'usr/bin/perl', names: ['bin/perl'] },
  ...['libc.so.6', 'libm.so.6', 'libcrypt.so.1', 'libtinfo.so.6', 'ld-linux-x86-64.so.2'].map((name) => ({
    target: `usr/lib/x86_64-linux-gnu/${name}`,
    names: [`lib/x86_64-linux-gnu/${name}`],
  })),
] as const;

const TERMINFO = [
  'd/dumb',
  'l/linux',
  's/screen-256color',
  't/tmux-256color',
  'v/vt100',
  'x/xterm',
  'x/xterm-256color',
];
const TERMINFO_FOLDER = 'lib/terminfo';
const PERL_LIBRARY = 'usr/lib/x86_64-linux-gnu/perl-base';

/** Of busybox's programs: what bash or perl is, or what a guest has no use for. */
const NOT_LINKED = new Set(['busybox', 'bash', 'perl', 'dpkg', 'dpkg-deb', 'rpm', 'su', 'sulogin', 'login']);

const FOLDERS: readonly { readonly path: string; readonly mode: number }[] = [
  ...[
    'usr',
    'usr/bin',
    'usr/lib',
    'usr/lib64',
    'usr/lib/x86_64-linux-gnu',
    'usr/share',
    'etc',
    'home',
    'work',
  ],
  ...['proc', 'sys', 'dev', 'tmp', 'run', 'home/u', 'root'],
].map((path) => ({ path, mode: 0o755 }));

const LINKS: Readonly<Record<string, string>> = {
  bin: 'usr/bin',
  sbin: 'usr/bin',
  'usr/sbin': 'bin',
  lib: 'usr/lib',
  lib64: 'usr/lib64',
  'usr/lib64/ld-linux-x86-64.so.2': '../lib/x86_64-linux-gnu/ld-linux-x86-64.so.2',
};

const BASHRC = `# Only for interactive shells.
[[ $- == *i* ]] || return 0
shopt -s checkwinsize histappend
PS1='\\[\\e[32m\\]\\u@\\h\\[\\e[0m\\]:\\[\\e[34m\\]\\w\\[\\e[0m\\]\\$ '
alias ls='ls --color=auto' grep='grep --color=auto'
`;

const ETC: Readonly<Record<string, string>> = {
  passwd: `root:x:0:0:root:/root:/bin/false\n${USER.name}:x:${USER.id}:${USER.id}:${USER.name}:${USER.home}:/bin/bash\n`,
  group: `root:x:0:\n${USER.name}:x:${USER.id}:\n`,
  hostname: 'airlock\n',
  hosts: '127.0.0.1 localhost airlock\n::1 localhost airlock\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
  profile: 'PS1=\'$ \'\nif [ -n "$BASH_VERSION" ] && [ -r /etc/bash.bashrc ]; then . /etc/bash.bashrc; fi\n',
  'bash.bashrc': BASHRC,
};

export interface GuestScripts {
  readonly init: Uint8Array;
  readonly agent: Uint8Array;
}

/** What the guest's file system holds, from the unpacked packages at `root`. Throws in words when something is missing. */
export async function guestContents(
  root: string,
  release: string,
  scripts: GuestScripts,
): Promise<ArchiveEntry[]> {
  const drivers = await readDrivers(root, release);
  const file = (path: string, content: Uint8Array, mode = 0o644): ArchiveEntry => ({
    ...{ path, kind: 'file', mode, content },
  });
  return [
    ...FOLDERS.map((folder): ArchiveEntry => ({ ...folder, kind: 'folder' })),
    ...Object.entries(LINKS).map(([path, target]): ArchiveEntry => ({ path, kind: 'link', target })),
    ...(await readBinaries(root)),
    ...(await appletLinks(root)),
    ...(await readTree(root, PERL_LIBRARY)),
    ...(await readTerminfo(root)),
    ...Object.entries(ETC).map(([name, text]) => file(`etc/${name}`, Buffer.from(text))),
    { path: 'airlock', kind: 'folder', mode: 0o700 },
    { path: 'airlock/drivers', kind: 'folder', mode: 0o700 },
    ...drivers.map(({ name, content }) => file(`airlock/drivers/${name}.ko`, content)),
    file('airlock/modules', Buffer.from(drivers.map(({ name }) => `${name}\n`).join(''))),
    file('airlock/agent.pl', scripts.agent),
    file('init', scripts.init, 0o755),
  ];
}

async function readDrivers(root: string, release: string): Promise<{ name: string; content: Buffer }[]> {
  const folder = firstThere(root, [`lib/modules/${release}`, `usr/lib/modules/${release}`]);
  const builtIn = await readFile(join(folder, 'modules.builtin'), 'utf8').catch(() => '');
  const drivers: { name: string; content: Buffer }[] = [];
  for (const driver of DRIVERS) {
    if (builtIn.includes(`kernel/${driver}.ko`)) continue;
    const path = join(folder, 'kernel', `${driver}.ko`);
    const content = await readFile(path).catch(() => null);
    if (content === null)
      throw new Error(`The kernel ${release} has no driver ${driver} that can be loaded.`);
    drivers.push({ name: driver.slice(driver.lastIndexOf('/') + 1), content });
  }
  return drivers;
}

async function readBinaries(root: string): Promise<ArchiveEntry[]> {
  return Promise.all(
    BINARIES.map(async ({ target, names }): Promise<ArchiveEntry> => {
      const path = firstThere(
        root,
        names.flatMap((name) => [name, `usr/${name}`]),
      );
      return { path: target, kind: 'file', mode: 0o755, content: await readFile(path) };
    }),
  );
}

async function appletLinks(root: string): Promise<ArchiveEntry[]> {
  const busybox = firstThere(root, ['bin/busybox', 'usr/bin/busybox']);
  const { stdout } = await promisify(execFile)(busybox, ['--list'], { timeout: LIST_MS, env: {} });
  return stdout
    .split('\n')
    .filter((name) => /^[\w[-]+$/.test(name) && !NOT_LINKED.has(name))
    .map((name) => ({ path: `usr/bin/${name}`, kind: 'link', target: 'busybox' }));
}

async function readTerminfo(root: string): Promise<ArchiveEntry[]> {
  const folder = firstThere(root, [TERMINFO_FOLDER, `usr/${TERMINFO_FOLDER}`, 'usr/share/terminfo']);
  const letters = [...new Set(TERMINFO.map((name) => name.slice(0, 1)))];
  const files = await Promise.all(
    TERMINFO.map(async (name): Promise<ArchiveEntry> => {
      const content = await readFile(join(folder, name));
      return { path: `usr/lib/terminfo/${name}`, kind: 'file', mode: 0o644, content };
    }),
  );
  return [...['', ...letters.map((letter) => `/${letter}`)].map(terminfoFolder), ...files];
}

function terminfoFolder(below: string): ArchiveEntry {
  return { path: `usr/lib/terminfo${below}`, kind: 'folder', mode: 0o755 };
}

/** A folder with everything in it; links are followed, and every file becomes one of its own. */
async function readTree(root: string, path: string): Promise<ArchiveEntry[]> {
  const names = (await readdir(join(root, path))).sort();
  const below = await Promise.all(
    names.map(async (name): Promise<ArchiveEntry[]> => {
      const inner = `${path}/${name}`;
      if ((await stat(join(root, inner))).isDirectory()) return readTree(root, inner);
      return [{ path: inner, kind: 'file', mode: 0o644, content: await readFile(join(root, inner)) }];
    }),
  );
  return [{ path, kind: 'folder', mode: 0o755 }, ...below.flat()];
}

function firstThere(root: string, names: readonly string[]): string {
  const found = names.map((name) => join(root, name)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`The packages have no ${names[0]}.`);
  return found;
}

import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Docker from 'dockerode';

export const TEST_IMAGE = 'airlock-test:latest';

/** Debian's package busybox-static: one program that needs no other file. */
const BUSYBOX = '/bin/busybox';

/** Makes an image of nothing but BusyBox, without a registry, and gives it to the daemon at this socket. */
export async function importTestImage(socketPath: string, folder: string): Promise<void> {
  const root = join(folder, 'image');
  const bin = join(root, 'bin');
  for (const name of ['bin', 'etc', 'proc', 'sys', 'dev', 'run', 'var', 'tmp', 'usr'])
    mkdirSync(join(root, name), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  copyFileSync(BUSYBOX, join(bin, 'busybox'));
  const applets = execFileSync(BUSYBOX, ['--list'], { encoding: 'utf8' }).split('\n').filter(Boolean);
  for (const applet of applets) if (applet !== 'busybox') symlinkSync('busybox', join(bin, applet));
  symlinkSync('../bin', join(root, 'usr/bin'));
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  const tar = join(folder, 'image.tar');
  execFileSync('tar', ['-C', root, '-cf', tar, '.']);
  const docker = new Docker({ socketPath });
  const progress = await docker.importImage(tar, { repo: 'airlock-test', tag: 'latest' });
  for await (const _line of progress);
}

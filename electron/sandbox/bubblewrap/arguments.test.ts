import { describe, expect, it } from 'vitest';
import type { Profile } from '../../../shared/settings/schema.ts';
import { FOLDER_TARGETS, WORKER_DIRECTORY } from '../../../shared/terminal/inside.ts';
import type { Folders } from '../host-folders.ts';
import { profileOf } from '../testing/sandbox-shell.ts';
import { type HostFacts, sandboxOptions } from './arguments.ts';

const HOST: HostFacts = {
  topFolders: [
    { path: '/bin', linkTarget: 'usr/bin' },
    { path: '/lib', linkTarget: null },
  ],
  etc: [{ source: '/run/resolve/resolv.conf', target: '/etc/resolv.conf' }],
  proc: { readOnly: ['/proc/sys'], hidden: ['/proc/kmsg'] },
};
const NO_FOLDERS: Folders = { project: null, scratch: null, files: null };
const folder = (path: string) => ({ path, device: 0n, inode: 0n });

const options = (profile: Partial<Profile> = {}, folders = NO_FOLDERS) =>
  sandboxOptions(profileOf(['/bin/true'], profile), HOST, folders);
const line = (...parts: Parameters<typeof options>) => ` ${options(...parts).join(' ')} `;

describe('the options of bwrap', () => {
  it('unshare everything and keep no capability', () => {
    expect(line()).toContain(
      ' --unshare-all --unshare-user --disable-userns --die-with-parent --uid 1000 --gid 1000 --cap-drop ALL ',
    );
  });

  it('share the network only when the profile says so', () => {
    expect(line()).not.toContain('--share-net');
    expect(line({ network: 'host' })).toContain(' --share-net ');
  });

  it('keep job control: no new session', () => {
    expect(line()).not.toContain('--new-session');
  });

  it('give every tmpfs a size', () => {
    const all = options();
    const places = all.flatMap((option, index) => (option === '--tmpfs' ? [index] : []));
    expect(places.map((index) => all[index + 1])).toEqual(['/dev/shm', '/tmp', '/run', '/home/u', '/out']);
    for (const index of places) expect(all[index - 2]).toBe('--size');
  });

  it('follow the layout of the host', () => {
    expect(line()).toContain(' --symlink usr/bin /bin --ro-bind /lib /lib ');
    expect(line()).toContain(' --ro-bind /run/resolve/resolv.conf /etc/resolv.conf ');
    expect(line()).toContain(' --ro-bind /proc/sys /proc/sys --ro-bind /dev/null /proc/kmsg ');
  });

  it('bind the project for reading, the scratch folder for writing, and make / read-only after that', () => {
    const text = line({}, { project: folder('/p'), scratch: folder('/s'), files: null });
    expect(text).toContain(
      ` --ro-bind /p ${FOLDER_TARGETS.project} --bind /s ${FOLDER_TARGETS.scratch} --remount-ro / --chdir ${FOLDER_TARGETS.project} `,
    );
    expect(line()).toContain(' --remount-ro / --chdir /home/u ');
  });

  it('F6 bind each file of a worker by itself in its working directory, and no folder', () => {
    const files = [
      { ...folder('/staged/1'), target: `${WORKER_DIRECTORY}/data/rates.csv`, access: 'read-only' },
      { ...folder('/staged/2'), target: `${WORKER_DIRECTORY}/data/report.csv`, access: 'read-write' },
    ] as const;
    expect(line({}, { project: null, scratch: null, files })).toContain(
      ` --dir ${WORKER_DIRECTORY} --ro-bind /staged/1 ${WORKER_DIRECTORY}/data/rates.csv --bind /staged/2 ${WORKER_DIRECTORY}/data/report.csv` +
        ` --remount-ro / --chdir ${WORKER_DIRECTORY} `,
    );
    expect(line({}, { project: null, scratch: null, files })).not.toContain(' /out ');
    expect(line({}, { project: null, scratch: null, files: [] })).toContain(
      ` --dir ${WORKER_DIRECTORY} --remount-ro / --chdir ${WORKER_DIRECTORY} `,
    );
  });

  it("set an environment of their own; the profile's is not yet in it", () => {
    const text = line({ environment: { LD_PRELOAD: `${FOLDER_TARGETS.project}/mine.so` } });
    expect(text).toContain(' --clearenv --setenv PATH ');
    expect(text).not.toContain('LD_PRELOAD');
  });
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Profile } from '../../../shared/settings/schema.ts';
import { FOLDER_TARGETS, WORKER_DIRECTORY } from '../../../shared/terminal/inside.ts';
import { profileOf, SandboxBench, script } from '../testing/sandbox-shell.ts';

let bench: SandboxBench;
beforeEach(() => {
  bench = new SandboxBench();
});
afterEach(() => bench.close());

/** What a script in the sandbox writes, as lines. */
async function lines(text: string, profile: Partial<Profile> = {}): Promise<string[]> {
  const { text: output } = await bench.run(profileOf(script(text), profile));
  return output.split('\r\n').filter(Boolean);
}

describe('a sandbox', () => {
  it('has its own few variables and the ones of the profile, nothing of the host', async () => {
    process.env['AIRLOCK_TEST_SECRET'] = 'of the host';
    const found = await lines('env | cut -d= -f1 | sort', { environment: { MINE: 'x' } });
    delete process.env['AIRLOCK_TEST_SECRET'];
    expect(found).toEqual([
      'COLORTERM',
      'HOME',
      'LANG',
      'LOGNAME',
      'MINE',
      'PATH',
      'PWD',
      'SHELL',
      'SHLVL',
      'TERM',
      'USER',
      '_',
    ]);
  });

  it('is a user without capabilities who cannot get any', async () => {
    expect(
      await lines('id; grep -h -E "^(Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs)" /proc/self/status | tr "\\t" " "'),
    ).toEqual([
      'uid=1000(u) gid=1000(u) groups=1000(u)',
      'CapPrm: 0000000000000000',
      'CapEff: 0000000000000000',
      'CapBnd: 0000000000000000',
      'CapAmb: 0000000000000000',
      'NoNewPrivs: 1',
    ]);
    const [user] = await lines('unshare --user true 2>&1; unshare --map-root-user true 2>&1');
    expect(user).toContain('unshare failed');
  });

  it('sees nothing of the host but /usr and what programs need of /etc', async () => {
    writeFileSync(join(bench.folder, 'secret'), 'of the host');
    expect(await lines('ls -1 /')).toEqual(
      expect.arrayContaining([
        'bin',
        'dev',
        'etc',
        'home',
        'lib',
        'proc',
        'run',
        'sbin',
        'tmp',
        'usr',
        'work',
      ]),
    );
    expect(await lines('ls -d /root /boot /sys /var /opt /srv /mnt /media 2>/dev/null')).toEqual([]);
    expect(
      await lines(
        `cat '${bench.folder}/secret' /etc/shadow /etc/ssh/* 2>/dev/null; ls -1A /home /home/u /work`,
      ),
    ).toEqual(['/home:', 'u', '/home/u:', '.bashrc', `${WORKER_DIRECTORY}:`]);
    expect(await lines('cat /etc/passwd')).toEqual([
      expect.stringMatching(/^root:/),
      'u:x:1000:1000:u:/home/u:/bin/bash',
      expect.stringMatching(/^nobody:/),
    ]);
  });

  it('sees its own processes only', async () => {
    expect(await lines('ps -eo comm=; hostname')).toEqual(['bwrap', 'bash', 'ps', 'airlock']);
  });

  it('has no network: no interface but its own loopback, no route, no names, no sockets of the host', async () => {
    expect(
      await lines(`
        grep -c : /proc/net/dev; wc -l </proc/net/route; grep -c @ /proc/net/unix
        (exec 3<>/dev/tcp/192.0.2.1/80) 2>&1 | grep -o 'unreachable' | head -1
        getent hosts example.com || echo no-name
        ls /etc/resolv.conf 2>/dev/null`),
    ).toEqual(['1', '1', '0', 'unreachable', 'no-name']);
  });

  it('shares the network and the name servers of the host when the profile says so, but no private keys', async () => {
    const interfaces = readFileSync('/proc/net/dev', 'utf8')
      .match(/^ *\S+:/gm)
      ?.map((name) => name.trim());
    const host = { network: 'host' } as const;
    expect(await lines('grep -o "^ *[^ ]*:" /proc/net/dev | tr -d " "', host)).toEqual(interfaces);
    const servers = readFileSync('/etc/resolv.conf', 'utf8').split('\n').filter(Boolean);
    expect(
      await lines('cat /etc/resolv.conf; ls -d /etc/ssl/private /etc/pki/tls/private 2>/dev/null', host),
    ).toEqual(servers);
  });

  it('can write nowhere but to its own small places', async () => {
    const writable = await lines(`
      find / -xdev \\( -type d -o -type f \\) -writable 2>/dev/null
      find /usr /etc /work -writable \\( -type d -o -type f \\) 2>/dev/null | head -5
      for place in / /etc /usr /usr/bin /dev /work /home; do (echo x >$place/x) 2>/dev/null && echo "wrote $place"; done`);
    expect(writable.sort()).toEqual(['/home/u', '/out', '/run', '/tmp']);
  });

  it.each([
    ['/home/u', 'homeMiB'],
    ['/tmp', 'tmpMiB'],
    ['/run', null],
    ['/dev/shm', null],
  ] as const)('can fill %s up to its bound only', async (place, limit) => {
    const limits = profileOf(['x'], {}).limits;
    const profile = { limits: { ...limits, memoryMiB: 256, ...(limit ? { [limit]: 2 } : {}) } };
    const [said, size] = await lines(
      `cd ${place}; head -c 40M /dev/zero 2>&1 >fill; stat -c %s fill`,
      profile,
    );
    expect(said).toContain('No space left');
    expect(Number(size)).toBeLessThanOrEqual((limit ? 2 : 16) * 1024 * 1024);
  });

  it('cannot change the machine by /proc, even when the host is root', async () => {
    expect(
      await lines(`
        find /proc -maxdepth 1 -type f -writable -exec stat -c '%F %n' {} + | grep -v '^character special file'; find /proc/sys /proc/irq /proc/bus /proc/fs -type f -writable 2>/dev/null | head
        (echo 1 >>/proc/sys/kernel/core_pattern) 2>/dev/null && echo changed
        (echo h >/proc/sysrq-trigger) 2>/dev/null && echo triggered
        head -c 1 /proc/kmsg /proc/kcore /proc/slabinfo /proc/kpageflags 2>/dev/null`),
    ).toEqual([]);
  });

  it('inherits no descriptor, in particular not the terminal of another session', async () => {
    const other = await bench.open(profileOf(['/bin/cat']));
    // 3 is the folder that ls itself reads.
    expect(await lines('ls -1 /proc/self/fd; ls -l /proc/[0-9]*/fd | grep -c ptmx')).toEqual([
      '0',
      '1',
      '2',
      '3',
      '0',
    ]);
    await other.type('still mine\n');
    await other.shows('still mine\r\nstill mine');
  });

  it('has the project for reading and the scratch folder for writing', async () => {
    const [project, scratch] = [join(bench.folder, 'project'), join(bench.folder, 'scratch')];
    mkdirSync(project);
    mkdirSync(scratch);
    writeFileSync(join(project, 'file'), 'in the project');
    const found = await lines(
      `pwd; cat file; echo; (echo x >file) 2>&1 | grep -o "Read-only file system"; rm -f file 2>/dev/null || echo kept; echo result >${FOLDER_TARGETS.scratch}/out`,
      { project, scratch },
    );
    expect(found).toEqual([FOLDER_TARGETS.project, 'in the project', 'Read-only file system', 'kept']);
    expect(readFileSync(join(scratch, 'out'), 'utf8')).toBe('result\n');
    expect(readFileSync(join(project, 'file'), 'utf8')).toBe('in the project');
  });

  it('runs the ordinary tools of the machine', async () => {
    expect(
      await lines('awk "BEGIN { print 6 * 7 }"; perl -e "print qq(p\\n)"; date +%Y | grep -c 20; tput cols'),
    ).toEqual(['42', 'p', '1', '133']);
  });

  it('has a prompt of its own', async () => {
    const shell = await bench.open(profileOf(['/bin/bash']));
    await shell.shows('u@airlock');
    await shell.type('exit\r');
    await shell.terminal.ended;
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sandboxLimitsSchema } from '../../../../shared/settings/schema.ts';
import { groupFolder, type Hierarchy, parseHierarchies } from './cgroup-hierarchies.ts';
import { enforcedLimits } from './enforced-limits.ts';
import { systemdScopeCommand } from './limiter.ts';

const VERSION_2 = '29 22 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate';
const MIXED = `22 1 0:21 / /proc rw - proc proc rw
31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 master:3 - cgroup cgroup rw,cpu,cpuacct
35 31 0:32 /docker/abc /sys/fs/cgroup/memory\\040one rw,relatime - cgroup cgroup rw,memory
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw`;

describe('the control groups of a machine', () => {
  it('are read from mountinfo, both versions', () => {
    expect(parseHierarchies(VERSION_2)).toEqual([
      { version: 2, controllers: [], root: '/', mountPoint: '/sys/fs/cgroup' },
    ]);
    expect(parseHierarchies(MIXED)).toEqual([
      { version: 1, controllers: ['cpu'], root: '/', mountPoint: '/sys/fs/cgroup/cpu,cpuacct' },
      { version: 1, controllers: ['memory'], root: '/docker/abc', mountPoint: '/sys/fs/cgroup/memory one' },
      { version: 2, controllers: [], root: '/', mountPoint: '/sys/fs/cgroup/unified' },
    ]);
  });

  it.each([
    [2, [], '/', '0::/user.slice/a.scope', '/m/user.slice/a.scope'],
    [2, [], '/', '0::/', '/m'],
    [2, [], '/', '3:memory:/x', null],
    [1, ['cpu'], '/', '4:cpu,cpuacct:/x\n0::/y', '/m/x'],
    [1, ['memory'], '/docker/abc', '4:memory:/docker/abc/in', '/m/in'],
    [1, ['memory'], '/docker/abc', '4:memory:/docker/abc', '/m'],
    [1, ['memory'], '/docker/abc', '4:memory:/docker/abcd', null],
    [2, [], '/', '0::/../outside', null],
  ] as const)(
    'version %i, %j under %s: %j is the folder %s',
    (version, controllers, root, membership, folder) => {
      expect(groupFolder({ version, controllers, root, mountPoint: '/m' }, membership)).toBe(folder);
    },
  );
});

describe('the limits that are in force', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'airlock-groups-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const OWN = 'airlock-1-2-3';
  const hierarchy = (version: 1 | 2, name: string, files: Record<string, string>): Hierarchy => {
    const mountPoint = join(root, name);
    const folder = join(mountPoint, OWN);
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), `${text}\n`);
    return { version, controllers: version === 1 ? [name as 'memory'] : [], root: '/', mountPoint };
  };

  it('are those of a version 2 group', () => {
    const group = hierarchy(2, 'v2', {
      'memory.max': '33554432',
      'pids.max': '18',
      'cpu.max': '50000 100000',
    });
    expect(enforcedLimits(`0::/${OWN}`, [group])).toEqual({
      memoryBytes: 33_554_432,
      tasks: 18,
      cpuPercent: 50,
      version: 2,
    });
  });

  it('are those of version 1 groups, beside an empty version 2 tree', () => {
    const groups = [
      hierarchy(1, 'memory', { 'memory.limit_in_bytes': '33554432' }),
      hierarchy(1, 'pids', { 'pids.max': '18' }),
      hierarchy(1, 'cpu', { 'cpu.cfs_quota_us': '250000', 'cpu.cfs_period_us': '100000' }),
      hierarchy(2, 'v2', {}),
    ];
    expect(enforcedLimits(`3:memory:/${OWN}\n2:pids:/${OWN}\n1:cpu:/${OWN}\n0::/${OWN}`, groups)).toEqual({
      memoryBytes: 33_554_432,
      tasks: 18,
      cpuPercent: 250,
      version: 1,
    });
  });

  it('are none of the group that the host is in itself', () => {
    const hosts = hierarchy(2, 'v2', {});
    mkdirSync(join(hosts.mountPoint, 'airlock.service'));
    writeFileSync(join(hosts.mountPoint, 'airlock.service', 'pids.max'), '4915\n');
    expect(enforcedLimits('0::/airlock.service', [hosts]).tasks).toBeNull();
  });

  it('are none where a group sets none, and never a guess', () => {
    const unlimited = [
      hierarchy(1, 'memory', { 'memory.limit_in_bytes': '9223372036854771712' }),
      hierarchy(1, 'cpu', { 'cpu.cfs_quota_us': '-1', 'cpu.cfs_period_us': '100000' }),
      hierarchy(2, 'v2', { 'memory.max': 'max', 'pids.max': 'max', 'cpu.max': 'max 100000' }),
    ];
    const none = { memoryBytes: null, tasks: null, cpuPercent: null, version: null };
    expect(enforcedLimits(`3:memory:/${OWN}\n1:cpu:/${OWN}\n0::/${OWN}`, unlimited)).toEqual(none);
    expect(enforcedLimits('', unlimited)).toEqual(none);
  });
});

it('a systemd scope carries every limit, and leaves room for the two processes of bwrap', () => {
  const limits = sandboxLimitsSchema.parse({ memoryMiB: 64, processes: 32, cpuPercent: 150 });
  const user = systemdScopeCommand('airlock-1-2-3', limits, false).join(' ');
  expect(user).toBe(
    '/usr/bin/systemd-run --user --scope --quiet --collect --no-ask-password --unit airlock-1-2-3 --property Delegate=yes --property MemoryMax=64M --property MemorySwapMax=0 --property TasksMax=34 --property CPUQuota=150% --',
  );
  expect(systemdScopeCommand('a', limits, true)).not.toContain('--user');
});

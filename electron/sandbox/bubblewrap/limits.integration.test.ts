import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxLimits } from '../../../shared/settings/schema.ts';
import { profileOf, SandboxBench } from '../testing/sandbox-shell.ts';
import { groupFolder, readHierarchies, readMembership } from './limits/cgroup-hierarchies.ts';
import { readEnforcedLimits } from './limits/enforced-limits.ts';

let bench: SandboxBench;
beforeEach(() => {
  bench = new SandboxBench();
});
afterEach(() => bench.close());

const MIB = 1024 * 1024;

const perl = (program: string, limits: Partial<SandboxLimits>) => {
  const profile = profileOf(['/usr/bin/perl', '-e', `$| = 1; ${program}`]);
  return { ...profile, limits: { ...profile.limits, ...limits } };
};

const FORK_UNTIL_REFUSED =
  'my $n = 1; while ($n < 200) { my $p = fork; last unless defined $p; $p or do { sleep 100; exit }; $n++ } print "had $n\\n"';

describe('the limits of a sandbox', () => {
  it('in its posture are those that the kernel enforces on it', async () => {
    const { terminal } = await bench.open(
      perl('<STDIN>', { memoryMiB: 64, processes: 20, cpuPercent: 50, openFiles: 128 }),
    );
    if (terminal.identity.kind !== 'process') throw new Error('Not a process.');
    const enforced = readEnforcedLimits(terminal.identity.pid);
    const { limits } = terminal.posture;
    expect(limits.memoryBytes).toBe(enforced.memoryBytes);
    expect(limits.cpuPercent).toBe(enforced.cpuPercent);
    expect(limits.openFiles).toBe(128);
    expect(limits.homeBytes).toBe(64 * MIB);
    if (limits.enforcedBy === 'prlimit only') {
      expect({ memory: limits.memoryBytes, cpu: limits.cpuPercent }).toEqual({ memory: null, cpu: null });
    } else {
      expect(limits.enforcedBy).toMatch(/^(cgroup v1|cgroup v2|systemd scope)$/);
      expect({ memory: limits.memoryBytes, processes: limits.processes }).toEqual({
        memory: 64 * MIB,
        processes: 20,
      });
    }
  });

  it('are in force before anything of the profile runs, code that its environment loads included', async () => {
    const environment = { LD_PRELOAD: '/nothing.so' };
    const { text } = await bench.run(profileOf(['/usr/bin/true'], { environment }));
    // The loader complains for each program that has the variable: setsid and true, and not the shim before them.
    expect(text.split("object '/nothing.so' from LD_PRELOAD")).toHaveLength(1 + 2);
  });

  it('stop a program that takes more memory, if the posture names a bound', async () => {
    const program = 'my $x = "a" x (128 * 1024 * 1024); print "got ", length $x, "\\n"';
    const { text, outcome, shell } = await bench.run(perl(program, { memoryMiB: 32 }));
    if (shell.terminal.posture.limits.memoryBytes === null) {
      expect(text).toContain('got');
    } else {
      expect(outcome).toEqual({ kind: 'exited', code: 137 });
    }
  });

  it('count the private folders, which are in memory', async () => {
    const program = 'open my $f, ">", "/tmp/x"; print $f "a" x 1048576 for 1..100; print "wrote\\n"';
    const { outcome, shell } = await bench.run(perl(program, { memoryMiB: 32, tmpMiB: 200 }));
    if (shell.terminal.posture.limits.memoryBytes !== null)
      expect(outcome).toEqual({ kind: 'exited', code: 137 });
  });

  it('stop a fork bomb, if the posture names a bound', async () => {
    const { text, shell } = await bench.run(perl(FORK_UNTIL_REFUSED, { processes: 20 }));
    expect(text).toBe(`had ${shell.terminal.posture.limits.processes ?? 200}\r\n`);
  });

  it('bound the open files of a process', async () => {
    const program =
      'my @f; my $n = 3; while ($n < 500) { open my $f, "<", "/dev/null" or last; push @f, $f; $n++ } print "had $n\\n"';
    const { text } = await bench.run(perl(program, { openFiles: 128 }));
    expect(text).toBe('had 128\r\n');
  });
});

it('ST-26 groups that a host left behind are removed by the next one', async () => {
  const parents = readHierarchies().flatMap((hierarchy) => {
    const usable = hierarchy.controllers.length > 0 ? groupFolder(hierarchy, readMembership('self')) : null;
    return usable === null ? [] : [usable];
  });
  const { terminal } = await bench.open(perl('<STDIN>', {}));
  // Only version 1 groups lie at a place that a test may write to everywhere; there is nothing to remove otherwise.
  if (terminal.posture.limits.enforcedBy !== 'cgroup v1') return;
  const leftover = 'airlock-2147483000-1-1';
  const live = readdirSync(parents[0] ?? '').filter((name) => name.startsWith(`airlock-${process.pid}-`));
  for (const parent of parents) mkdirSync(join(parent, leftover), { recursive: true });
  await bench.open(perl('<STDIN>', {}));
  for (const parent of parents) expect(readdirSync(parent)).not.toContain(leftover);
  expect(live).toHaveLength(1);
  for (const name of live) expect(readdirSync(parents[0] ?? '')).toContain(name);
});

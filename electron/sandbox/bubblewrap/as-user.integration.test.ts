import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { EngineStatus } from '../../../shared/terminal/engine-status.ts';
import { FOLDER_TARGETS } from '../../../shared/terminal/inside.ts';
import type { Outcome } from '../../../shared/terminal/outcome.ts';
import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import { script } from '../testing/sandbox-shell.ts';

const RUNNER = fileURLToPath(new URL('../testing/user-session.ts', import.meta.url));
/** Another user where the tests run as root; otherwise they run as an ordinary user already. */
const USER = process.getuid?.() === 0 ? '65534' : '';

interface Result {
  readonly lines: string[];
  readonly outcome: Outcome;
  readonly removed: boolean;
  readonly limits: SandboxPosture['limits'];
  readonly probe: EngineStatus;
}

async function run(command: readonly string[]): Promise<Result> {
  const { stdout } = await promisify(execFile)(process.execPath, [RUNNER, USER, ...command]);
  return JSON.parse(stdout) as Result;
}

describe('as an ordinary user of the machine, a sandbox', () => {
  it('opens at its size, isolates, and ends', async () => {
    const { lines, outcome, removed, probe } = await run(
      script(`
        stty size; id; grep -c : /proc/net/dev; grep CapEff /proc/self/status | tr '\\t' ' '
        (echo x >/usr/x) 2>/dev/null || echo read-only; ls -1 /work; pwd; ls /root 2>/dev/null; ps -eo comm= >/tmp/ps; wc -l </tmp/ps; exit 42`),
    );
    expect(lines).toEqual([
      '41 133',
      'uid=1000(u) gid=1000(u) groups=1000(u)',
      '1',
      'CapEff: 0000000000000000',
      'read-only',
      'project',
      FOLDER_TARGETS.project,
      '3',
    ]);
    expect(outcome).toEqual({ kind: 'exited', code: 42 });
    expect(removed).toBe(true);
    expect(probe.usable).toBe(true);
  });

  it('B29 refuses to type into its terminal', async () => {
    const attack =
      '$byte = "x"; for (0x5412, 0x541C) { print ioctl(STDIN, $_, $byte) ? "worked" : "$!", "\\n" }';
    const { lines } = await run(['/usr/bin/perl', '-e', attack]);
    expect(lines).toEqual(['Operation not permitted', 'Operation not permitted']);
  });

  it('ST-10 can be interrupted by BREAK', async () => {
    const { outcome } = await run(script('stty brkint; trap "exit 3" INT; echo break; sleep 1000 & wait'));
    expect(outcome).toEqual({ kind: 'exited', code: 3 });
  });

  it('bounds its processes, and says nothing about what it cannot bound', async () => {
    const bomb =
      '$n = 1; while ($n < 200) { $p = fork; last unless defined $p; $p or do { sleep 100; exit }; $n++ } print "had $n\\n"';
    const { lines, limits, probe } = await run(['/usr/bin/perl', '-e', bomb]);
    expect(limits.processes).toBe(20);
    expect(lines).toEqual(['had 20']);
    if (limits.enforcedBy === 'prlimit only') {
      expect(limits).toMatchObject({ memoryBytes: null, cpuPercent: null });
      expect(probe.notes.join()).toContain('Nothing on this machine bounds memory and CPU time');
    }
  });
});

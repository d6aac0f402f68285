import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RELEASE } from '../../../shared/terminal/limits.ts';
import { identify, type ProcessIdentity, signalExactly } from '../process-identity.ts';
import {
  INTERACTIVE,
  processesWith,
  profileOf,
  SandboxBench,
  type SandboxShell,
  script,
} from '../testing/sandbox-shell.ts';
import { withoutDescriptors } from '../testing/without-descriptors.ts';
import { settledWithin, waitUntil } from '../wait.ts';
import { SessionGroups } from './limits/session-groups.ts';
import { releaseSandbox } from './release.ts';

let bench: SandboxBench;
let bystander: ChildProcess;
beforeEach(() => {
  bench = new SandboxBench();
  bystander = spawn('/bin/sleep', ['1000']);
});
afterEach(async () => {
  bystander.kill('SIGKILL');
  await bench.close();
});

const identityOf = (pid: number | undefined): ProcessIdentity => {
  const identity = pid === undefined ? null : identify(pid);
  if (!identity) throw new Error('No such process.');
  return identity;
};

const leaderOf = ({ terminal }: SandboxShell): ProcessIdentity => {
  if (terminal.identity.kind !== 'process') throw new Error('Not a process.');
  return terminal.identity;
};

const steps = (report: { steps: { step: string }[] }) => report.steps.map(({ step }) => step);

/** Whether the kernel knows the number. */
const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Milliseconds that a test waits for a state before it fails. */
const PATIENCE_MS = 20_000;

/** Starts a session of its own that sleeps, and goes on when that runs. */
const daemon = (marker: string) => `read -r _ < <(setsid sh -c "echo up; sleep 1000; : ${marker}")`;

describe('ST-24 a release', () => {
  it('of a shell ends it by SIGHUP, and is confirmed', async () => {
    const shell = await bench.open(
      profileOf([...INTERACTIVE.command], { environment: INTERACTIVE.environment }),
    );
    await shell.shows('ready$ ');
    const report = await shell.terminal.release();
    expect(report).toMatchObject({ removed: true });
    expect(steps(report)).toEqual(['SIGHUP', 'ended', 'removal confirmed']);
    expect(await shell.terminal.ended).toEqual({ kind: 'exited', code: 129 });
  });

  it('lets a program clean up, and shows what it then writes', async () => {
    const shell = await bench.open(
      profileOf(script(`trap 'echo saved; exit 5' HUP; sleep 1000 & echo ready; wait`)),
    );
    await shell.shows('ready');
    await shell.terminal.release();
    expect(await shell.terminal.ended).toEqual({ kind: 'exited', code: 5 });
    expect(shell.text).toContain('saved');
  });

  it('of a program that ignores the signals ends it by SIGKILL, after both graces', async () => {
    const shell = await bench.open(
      profileOf(script(`trap '' HUP TERM; echo ready; while :; do sleep 0.05; done`)),
    );
    await shell.shows('ready');
    const start = performance.now();
    const report = await shell.terminal.release();
    expect(steps(report)).toEqual(['SIGHUP', 'SIGTERM', 'SIGKILL', 'removal confirmed']);
    expect(performance.now() - start).toBeGreaterThan(RELEASE.hangupGraceMs + RELEASE.terminateGraceMs - 10);
    expect(await shell.terminal.ended).toEqual({ kind: 'signalled', signal: 9, name: 'SIGKILL' });
  });

  it('of a stopped program does not wait for somebody to continue it', async () => {
    const shell = await bench.open(profileOf(script('echo ready; kill -STOP $$')));
    await shell.shows('ready');
    const report = await shell.terminal.release();
    expect(steps(report)).toEqual(['SIGHUP', 'ended', 'removal confirmed']);
  });

  it('removes what started its own session: setsid, double forks, ignored signals', async () => {
    const marker = `daemon-${process.pid}-${Date.now()}`;
    const shell = await bench.open(
      profileOf(
        script(`
          setsid sh -c "trap '' HUP TERM INT; : ${marker}; while :; do sleep 0.05; done" </dev/null >/dev/null 2>&1 &
          (setsid sh -c ": ${marker}; (sleep 1000; : ${marker}) & exec sleep 999" &)
          nohup sh -c ": ${marker}; while :; do sleep 1; done" >/dev/null 2>&1 &
          echo ready; exec cat`),
      ),
    );
    await shell.shows('ready');
    // bwrap and its pid 1, which were given the script, and the three. One that is becoming its program has no arguments.
    expect(await waitUntil(() => processesWith(marker).length >= 5, PATIENCE_MS)).toBe(true);
    const report = await shell.terminal.release();
    expect(report.removed).toBe(true);
    expect(processesWith(marker)).toEqual([]);
  });

  it('removes them too when the program has ended by itself', async () => {
    const marker = `orphan-${process.pid}-${Date.now()}`;
    const { shell } = await bench.run(profileOf(script(`${daemon(marker)}; exit 0`)));
    const report = await shell.terminal.release();
    expect(steps(report)).toEqual(['ended', 'removal confirmed']);
    expect(processesWith(marker)).toEqual([]);
  });

  it('happens once, however often it is asked for', async () => {
    const { terminal } = await bench.open(profileOf(['/bin/cat']));
    const [first, second] = await Promise.all([terminal.release(), terminal.release()]);
    expect(second).toBe(first);
    expect(await terminal.release()).toBe(first);
  });

  it('works while the terminal is paused and its program floods', async () => {
    const shell = await bench.open(profileOf(['/usr/bin/yes']));
    await shell.shows('y');
    shell.terminal.pause();
    expect((await shell.terminal.release()).removed).toBe(true);
    expect((await shell.terminal.ended).kind).toBe('exited');
  });
});

it('ST-25 a release by a host without a descriptor left ends the program, and confirms nothing before it can look', async () => {
  const marker = `unseen-${process.pid}-${Date.now()}`;
  const shell = await bench.open(profileOf(script(`${daemon(marker)}; echo ready; exec cat`)));
  await shell.shows('ready');
  let releasing = Promise.resolve<unknown>(null);
  await withoutDescriptors(async () => {
    releasing = shell.terminal.release();
    expect(await waitUntil(() => !exists(leaderOf(shell).pid), PATIENCE_MS)).toBe(true);
    expect(await settledWithin(releasing, 0)).toBe(false);
  });
  expect(await releasing).toMatchObject({
    removed: true,
    steps: [
      { step: 'SIGHUP', detail: 'program: unknown' },
      { step: 'SIGTERM', detail: 'program: unknown' },
      { step: 'SIGKILL', detail: 'bubblewrap: sent' },
      { step: 'removal confirmed' },
    ],
  });
  expect(processesWith(marker)).toEqual([]);
});

describe('ST-25 an identity that no longer matches', () => {
  it('is not signalled by a release; the report says so', async () => {
    const stranger = { ...identityOf(bystander.pid), startTime: '1' };
    const report = await releaseSandbox({
      leader: stranger,
      killLeader: () => false,
      init: stranger,
      program: stranger,
      groups: new SessionGroups([]),
      exited: new Promise(() => {}),
    });
    expect(report.steps.slice(0, 3)).toEqual([
      { step: 'SIGHUP', detail: 'program: mismatch' },
      { step: 'SIGTERM', detail: 'program: mismatch' },
      { step: 'SIGKILL', detail: 'bubblewrap: gone' },
    ]);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
    expect(identityOf(bystander.pid)).toBeTruthy();
  });

  it('as the program is not signalled, and the sandbox still ends', async () => {
    const shell = await bench.open(profileOf(['/bin/cat']));
    const leader = leaderOf(shell);
    const report = await releaseSandbox({
      leader,
      killLeader: () => signalExactly(leader, 'SIGKILL') === 'sent',
      init: leader,
      program: { ...identityOf(bystander.pid), startTime: '1' },
      groups: new SessionGroups([]),
      exited: shell.terminal.ended,
    });
    expect(steps(report)).toEqual(['SIGHUP', 'SIGTERM', 'SIGKILL', 'removal confirmed']);
    expect(report.steps[0]).toEqual({ step: 'SIGHUP', detail: 'program: mismatch' });
    expect(identityOf(bystander.pid)).toBeTruthy();
  });
});

describe('ST-26 recovery', () => {
  it('ends what a recorded identity still names', async () => {
    const marker = `recovered-${process.pid}-${Date.now()}`;
    const shell = await bench.open(profileOf(script(`${daemon(marker)}; echo ready; exec cat`)));
    await shell.shows('ready');
    expect(await bench.engine.recover(leaderOf(shell))).toEqual({ kind: 'removed' });
    expect(await bench.engine.recover(leaderOf(shell))).toEqual({ kind: 'absent' });
    expect(await waitUntil(() => processesWith(marker).length === 0, RELEASE.removalMs)).toBe(true);
  });

  it('finds nothing to do after a reboot', async () => {
    const before = { ...identityOf(bystander.pid), bootId: 'of-another-boot' };
    expect(await bench.engine.recover(before)).toEqual({ kind: 'absent' });
    expect(identityOf(bystander.pid)).toBeTruthy();
  });

  it('ST-25 does not touch a process that got the same number', async () => {
    const reused = { ...identityOf(bystander.pid), startTime: '1' };
    expect(await bench.engine.recover(reused)).toMatchObject({ kind: 'mismatch' });
    expect(await bench.engine.recover({ kind: 'container', id: 'x', endpoint: 'y' })).toMatchObject({
      kind: 'mismatch',
    });
    bystander.kill('SIGTERM');
    expect(await once(bystander, 'exit')).toEqual([null, 'SIGTERM']);
  });
});

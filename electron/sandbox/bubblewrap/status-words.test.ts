import { describe, expect, it } from 'vitest';
import { engineStatusSchema, fixInWords } from '../../../shared/terminal/engine-status.ts';
import type { ProbeFacts, Trial } from './probe.ts';
import { decideStatus } from './status-words.ts';

const LIMITS = {
  memoryBytes: 1,
  processes: 1,
  openFiles: 1,
  cpuPercent: 1,
  homeBytes: 1,
  tmpBytes: 1,
  enforcedBy: 'cgroup v2',
};
const REFUSED: Trial = { ok: false, message: 'bwrap: No permissions to create new namespace' };
const NO_SYSCTL = { unprivilegedUsernsClone: null, maxUserNamespaces: null, apparmorRestrictsUserns: null };

const READY: ProbeFacts = {
  platform: 'linux',
  processor: 'x64',
  processorSupported: true,
  isRoot: false,
  bwrap: '/usr/bin/bwrap',
  version: '0.9.0',
  missingTools: [],
  sysctl: { unprivilegedUsernsClone: '1', maxUserNamespaces: '96365', apparmorRestrictsUserns: null },
  apparmorProfile: '/opt/airlock/resources/apparmor/bwrap-userns-restrict',
  trial: { ok: true, limits: LIMITS },
};

const decide = (part: Partial<ProbeFacts>) => engineStatusSchema.parse(decideStatus({ ...READY, ...part }));

describe('a machine where everything is there', () => {
  it('is ready, and says what bounds a sandbox', () => {
    expect(decide({})).toEqual({
      kind: 'bubblewrap',
      version: '0.9.0',
      usable: true,
      summary: 'bubblewrap 0.9.0 is ready.',
      fixes: [],
      notes: ['Memory, processes and CPU are bounded by: cgroup v2.'],
    });
  });

  it('is ready with any later version', () => {
    for (const version of ['0.8.0', '0.11.0', '1.0', '10.2.1']) expect(decide({ version }).usable).toBe(true);
  });

  it('is ready even where settings look forbidding: the trial is what counts', () => {
    const sysctl = { unprivilegedUsernsClone: '0', maxUserNamespaces: '0', apparmorRestrictsUserns: '1' };
    expect(decide({ sysctl }).usable).toBe(true);
  });

  it('says what nothing bounds', () => {
    const limits = { ...LIMITS, memoryBytes: null, cpuPercent: null, enforcedBy: 'prlimit only' };
    const { usable, notes } = decide({ trial: { ok: true, limits } });
    expect(usable).toBe(true);
    expect(notes).toEqual([
      'Nothing on this machine bounds memory and CPU time of a sandbox (prlimit only).',
    ]);
  });
});

describe.each<{ why: string; facts: Partial<ProbeFacts>; summary: string; fixes: string[] }>([
  {
    why: 'bwrap is missing',
    facts: { bwrap: null, version: null, trial: null },
    summary: 'bubblewrap is not installed.',
    fixes: ['sudo apt-get install bubblewrap', 'sudo dnf install bubblewrap', 'sudo pacman -S bubblewrap'],
  },
  {
    why: 'bwrap does not work at all',
    facts: { version: null, trial: null },
    summary: 'does not tell its version',
    fixes: ['/usr/bin/bwrap --version'],
  },
  {
    why: 'bwrap is too old',
    facts: { version: '0.6.1', trial: REFUSED },
    summary: 'bubblewrap 0.6.1 is too old: 0.8.0 or newer is needed.',
    fixes: ['Ubuntu 24.04'],
  },
  {
    why: 'tools are missing',
    facts: { missingTools: ['/usr/bin/prlimit', '/bin/bash'], trial: null },
    summary: '/usr/bin/prlimit, /bin/bash',
    fixes: ['sudo apt-get install bash coreutils util-linux'],
  },
  {
    why: 'user namespaces are off',
    facts: { sysctl: { ...NO_SYSCTL, maxUserNamespaces: '0' }, trial: REFUSED },
    summary: 'user.max_user_namespaces is 0',
    fixes: [
      "echo 'user.max_user_namespaces=15000' | sudo tee /etc/sysctl.d/60-airlock.conf && sudo sysctl --system",
    ],
  },
  {
    why: 'user namespaces are off, even for root',
    facts: { isRoot: true, sysctl: { ...NO_SYSCTL, maxUserNamespaces: '0' }, trial: REFUSED },
    summary: 'user.max_user_namespaces is 0',
    fixes: ['user.max_user_namespaces=15000'],
  },
  {
    why: 'user namespaces are for root only',
    facts: { sysctl: { ...NO_SYSCTL, unprivilegedUsernsClone: '0' }, trial: REFUSED },
    summary: 'kernel.unprivileged_userns_clone is 0',
    fixes: ['kernel.unprivileged_userns_clone=1'],
  },
  {
    why: 'AppArmor restricts them',
    facts: { sysctl: { ...NO_SYSCTL, apparmorRestrictsUserns: '1' }, trial: REFUSED },
    summary: 'AppArmor keeps bubblewrap from creating user namespaces',
    fixes: [
      "sudo install -m 0644 '/opt/airlock/resources/apparmor/bwrap-userns-restrict' /etc/apparmor.d/bwrap-userns-restrict && sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict",
    ],
  },
  {
    why: 'root is refused, by a container for example',
    facts: {
      isRoot: true,
      sysctl: { ...NO_SYSCTL, unprivilegedUsernsClone: '0', apparmorRestrictsUserns: '1' },
      trial: REFUSED,
    },
    summary: 'bwrap: No permissions to create new namespace',
    fixes: ['container'],
  },
  {
    why: 'nobody knows why',
    facts: { trial: REFUSED },
    summary: 'bwrap: No permissions to create new namespace',
    fixes: ['container'],
  },
  {
    why: 'the processor is not known',
    facts: { processor: 'riscv64', processorSupported: false, trial: null },
    summary: '(riscv64)',
    fixes: ['x86-64'],
  },
  {
    why: 'it is macOS',
    facts: { platform: 'darwin', bwrap: null, version: null, trial: null },
    summary: 'Linux only. For macOS, Airlock has containers (Docker, Podman) and smolvm virtual machines.',
    fixes: ['engine of the profile', 'npm run airlock -- serve'],
  },
  {
    why: 'it is Windows',
    facts: { platform: 'win32', bwrap: null, version: null, trial: null },
    summary: 'For Windows, Airlock has containers',
    fixes: ['WSL 2'],
  },
])('when $why', ({ facts, summary, fixes }) => {
  it('it is not usable, and the words say why and what to do', () => {
    const status = decide(facts);
    expect(status.usable).toBe(false);
    expect(status.summary).toContain(summary);
    for (const fix of fixes) expect(status.fixes.map(fixInWords).join('\n')).toContain(fix);
  });
});

it('only what can be run is a command', () => {
  const commands = (facts: Partial<ProbeFacts>) => decide(facts).fixes.map(({ command }) => command);
  expect(commands({ bwrap: null, version: null, trial: null })[0]).toBe('sudo apt-get install bubblewrap');
  expect(commands({ trial: REFUSED })).toEqual([null]);
  expect(commands({ platform: 'darwin', bwrap: null, version: null, trial: null })).toEqual([null, null]);
});

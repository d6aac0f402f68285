import type { EngineFix, EngineStatus } from '../../../shared/terminal/engine-status.ts';
import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import { ownCommand } from '../../own-command.ts';
import type { ProbeFacts } from './probe.ts';

/** The first with everything that the sandbox is built from; `--disable-userns` and `--size` are the youngest. */
const OLDEST_VERSION = [0, 8, 0] as const;

type Verdict = Pick<EngineStatus, 'usable' | 'summary' | 'fixes' | 'notes'>;

/** What the facts mean, in words. Pure: the same facts always give the same status. */
export function decideStatus(facts: ProbeFacts): EngineStatus {
  return { kind: 'bubblewrap', version: facts.version, ...decide(facts) };
}

function decide(facts: ProbeFacts): Verdict {
  if (facts.platform !== 'linux') return elsewhere(facts.platform);
  if (!facts.processorSupported) {
    return unusable(
      `The system calls of this processor (${facts.processor}) are not known to Airlock, so they cannot be filtered.`,
      [step('Use a machine with an x86-64 or 64-bit ARM processor.')],
    );
  }
  if (facts.bwrap === null) return unusable('bubblewrap is not installed.', installCommands('bubblewrap'));
  if (facts.version === null) {
    return unusable(`${facts.bwrap} does not tell its version.`, [
      { text: 'See why, then install bubblewrap again:', command: `${facts.bwrap} --version` },
    ]);
  }
  if (isOlder(facts.version)) {
    return unusable(
      `bubblewrap ${facts.version} is too old: ${OLDEST_VERSION.join('.')} or newer is needed.`,
      [step('Debian 12, Ubuntu 24.04, Fedora 38 and Arch have one that is new enough: upgrade the system.')],
    );
  }
  if (facts.missingTools.length > 0) {
    return unusable(
      `These programs are missing: ${facts.missingTools.join(', ')}.`,
      installCommands('bash coreutils util-linux'),
    );
  }
  if (facts.trial?.ok) return usable(facts.version, facts.trial.limits);
  return namespacesRefused(facts, facts.trial?.message ?? 'it was not tried');
}

function usable(version: string, limits: SandboxPosture['limits']): Verdict {
  const notes: string[] = [];
  const unbounded = [
    ...(limits.memoryBytes === null ? ['memory'] : []),
    ...(limits.processes === null ? ['the number of processes'] : []),
    ...(limits.cpuPercent === null ? ['CPU time'] : []),
  ];
  if (unbounded.length > 0) {
    notes.push(
      `Nothing on this machine bounds ${listInWords(unbounded)} of a sandbox (${limits.enforcedBy}).`,
    );
  } else {
    notes.push(`Memory, processes and CPU are bounded by: ${limits.enforcedBy}.`);
  }
  return { usable: true, summary: `bubblewrap ${version} is ready.`, fixes: [], notes };
}

/** Why a sandbox could not be opened although everything is installed. The kernel's own settings are looked at first. */
function namespacesRefused(facts: ProbeFacts, message: string): Verdict {
  const { sysctl, isRoot } = facts;
  if (sysctl.maxUserNamespaces === '0') {
    return unusable('User namespaces are switched off on this machine (user.max_user_namespaces is 0).', [
      setSysctl('user.max_user_namespaces=15000'),
    ]);
  }
  if (!isRoot && sysctl.unprivilegedUsernsClone === '0') {
    return unusable(
      'Only root may create user namespaces on this machine (kernel.unprivileged_userns_clone is 0).',
      [setSysctl('kernel.unprivileged_userns_clone=1')],
    );
  }
  if (!isRoot && sysctl.apparmorRestrictsUserns === '1') {
    const target = '/etc/apparmor.d/bwrap-userns-restrict';
    return unusable(
      'AppArmor keeps bubblewrap from creating user namespaces (kernel.apparmor_restrict_unprivileged_userns is 1).',
      [
        {
          text: 'Install the profile that lets it:',
          command: `sudo install -m 0644 '${facts.apparmorProfile}' ${target} && sudo apparmor_parser -r ${target}`,
        },
      ],
    );
  }
  return unusable(`bubblewrap could not open a sandbox: ${message}`, [
    step('In a container: allow user namespaces and mounts in it, or run Airlock outside of it.'),
  ]);
}

/** This engine exists on Linux only. */
function elsewhere(platform: NodeJS.Platform): Verdict {
  const system = platform === 'darwin' ? 'macOS' : platform === 'win32' ? 'Windows' : platform;
  const linux = platform === 'win32' ? 'in WSL 2, or on' : 'on';
  return unusable(
    `bubblewrap exists on Linux only. For ${system}, Airlock has containers (Docker, Podman) and smolvm virtual machines.`,
    [
      step('Choose one of these as the engine of the profile.'),
      step(
        `Or ${linux} a Linux machine, run "${ownCommand('serve')}" and open the address that it prints, through an SSH tunnel if it is another machine.`,
      ),
    ],
  );
}

function unusable(summary: string, fixes: EngineFix[]): Verdict {
  return { usable: false, summary, fixes, notes: [] };
}

function step(text: string): EngineFix {
  return { text, command: null };
}

function installCommands(packages: string): EngineFix[] {
  return [
    { text: 'Debian, Ubuntu:', command: `sudo apt-get install ${packages}` },
    { text: 'Fedora:', command: `sudo dnf install ${packages}` },
    { text: 'Arch:', command: `sudo pacman -S ${packages}` },
  ];
}

function setSysctl(setting: string): EngineFix {
  return {
    text: 'Allow them:',
    command: `echo '${setting}' | sudo tee /etc/sysctl.d/60-airlock.conf && sudo sysctl --system`,
  };
}

function listInWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function isOlder(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, oldest] of OLDEST_VERSION.entries()) {
    const part = parts[index] ?? 0;
    if (part !== oldest) return part < oldest;
  }
  return false;
}

import { fieldName } from '../../../shared/settings/field-names.ts';
import { type EngineFix, type EngineStatus, fixInWords } from '../../../shared/terminal/engine-status.ts';
import { ownCommand } from '../../own-command.ts';
import type { Accelerator } from './monitor/accelerator.ts';
import { FIRECRACKER_OLDEST, isTooOld, type MonitorName, type MonitorProgram } from './programs.ts';

/** One thing that is in the way: what it is as a sentence, and what to do about it. */
export interface Problem {
  readonly summary: string;
  readonly fixes: readonly EngineFix[];
}

/** Everything that the engine's status is decided from; see `decideStatus`. */
export interface MicrovmFacts {
  readonly platform: NodeJS.Platform;
  readonly processor: string;
  readonly monitor: MonitorName;
  readonly program: MonitorProgram | null;
  readonly hasSetpriv: boolean;
  /** What is wrong with the guest of this profile; null when it can be used. */
  readonly guestProblem: Problem | null;
  /** Whether the monitor may use /dev/kvm. */
  readonly kvm: boolean;
  /** Whether there is a /dev/kvm at all. */
  readonly kvmExists: boolean;
  /** How QEMU's machines run here; null until the first one has. */
  readonly accelerator: Accelerator | null;
  /** What is wrong with the rest of the profile; null without one. */
  readonly profileProblem: string | null;
}

type Verdict = Pick<EngineStatus, 'usable' | 'summary' | 'fixes' | 'notes'>;

/** What the facts mean, in words. Pure: the same facts always give the same status. */
export function decideStatus(facts: MicrovmFacts): EngineStatus {
  return { kind: 'microvm', version: facts.program?.version ?? null, ...decide(facts) };
}

function decide(facts: MicrovmFacts): Verdict {
  if (facts.platform !== 'linux' || facts.processor !== 'x64')
    return unusable({
      summary: `Micro-VMs run on 64-bit x86 Linux; this is ${facts.platform} on ${facts.processor}.`,
      fixes: [
        {
          text: `Use Airlock on such a machine, for example over SSH: ${ownCommand('serve')}`,
          command: null,
        },
      ],
    });
  const problems = [programProblem(facts), kvmProblem(facts), facts.guestProblem, profileProblem(facts)];
  const found = problems.filter((problem) => problem !== null);
  return found.length === 0 ? usable(facts) : unusable(...found);
}

function programProblem({ monitor, program, hasSetpriv }: MicrovmFacts): Problem | null {
  if (program === null) {
    return monitor === 'qemu'
      ? { summary: 'QEMU is not installed.', fixes: installQemu() }
      : {
          summary:
            'Firecracker is not installed: it is looked for as /usr/bin/firecracker and /usr/local/bin/firecracker.',
          fixes: [
            {
              text: 'Take a release of 1.8 or later: https://github.com/firecracker-microvm/firecracker/releases',
              command: null,
            },
            orQemu(),
          ],
        };
  }
  if (program.version === null)
    return {
      summary: `${program.path} does not tell its version.`,
      fixes: [{ text: 'See why:', command: `${program.path} --version` }],
    };
  if (!hasSetpriv)
    return {
      summary: 'setpriv is missing, which takes a monitor’s rights away.',
      fixes: [{ text: 'Debian, Ubuntu:', command: 'sudo apt-get install util-linux' }],
    };
  if (monitor === 'firecracker' && isTooOld(program.version, FIRECRACKER_OLDEST))
    return {
      summary: `Firecracker ${program.version} is too old: ${FIRECRACKER_OLDEST.join('.')} or newer is needed.`,
      fixes: [],
    };
  return null;
}

function kvmProblem({ monitor, kvm, kvmExists }: MicrovmFacts): Problem | null {
  if (monitor === 'qemu' || kvm) return null;
  if (!kvmExists)
    return {
      summary: 'Firecracker needs KVM, and this machine has no /dev/kvm.',
      fixes: [
        {
          text: 'Switch virtualisation on in its firmware, or, where it is a virtual machine itself, let it have machines of its own.',
          command: null,
        },
        orQemu(),
      ],
    };
  return {
    summary: 'Firecracker needs KVM, and its process may not use /dev/kvm.',
    fixes: [
      { text: 'Let your user use it, then log in again:', command: 'sudo usermod -aG kvm "$USER"' },
      orQemu(),
    ],
  };
}

function profileProblem({ profileProblem: summary }: MicrovmFacts): Problem | null {
  return summary === null ? null : { summary, fixes: [] };
}

function orQemu(): EngineFix {
  return {
    text: `Or choose QEMU as ${fieldName('microvm.monitor')} in the profile, which can do without KVM.`,
    command: null,
  };
}

function usable({ monitor, program, kvm, accelerator }: MicrovmFacts): Verdict {
  const version = program?.version ?? '';
  if (monitor === 'firecracker')
    return { usable: true, summary: `Firecracker ${version} is ready.`, fixes: [], notes: [] };
  return {
    usable: true,
    summary: `QEMU ${version} is ready.`,
    fixes: [],
    notes: [speedNote(kvm, accelerator)],
  };
}

function speedNote(kvm: boolean, accelerator: Accelerator | null): string {
  if (accelerator?.kind === 'kvm') return 'Machines run on KVM.';
  if (accelerator?.kind === 'tcg')
    return `Machines are emulated (TCG), so they start in seconds and compute slowly: ${accelerator.reason}.`;
  return kvm
    ? '/dev/kvm is there; the first machine tries it, and is emulated if it does not boot.'
    : 'Machines are emulated (TCG), so they start in seconds and compute slowly: there is no /dev/kvm for them.';
}

function installQemu(): EngineFix[] {
  return [
    { text: 'Debian, Ubuntu:', command: 'sudo apt-get install --no-install-recommends qemu-system-x86' },
    { text: 'Fedora:', command: 'sudo dnf install qemu-system-x86-core' },
    { text: 'Arch:', command: 'sudo pacman -S qemu-system-x86' },
  ];
}

/** Everything at once: who puts one thing right is not to find the next only then. */
function unusable(...problems: readonly Problem[]): Verdict {
  const fixes = problems.flatMap((problem) => problem.fixes).map((fix) => [fixInWords(fix), fix] as const);
  return {
    usable: false,
    summary: problems.map(({ summary }) => summary).join(' '),
    // What helps against two things is said once.
    fixes: [...new Map(fixes).values()],
    notes: [],
  };
}

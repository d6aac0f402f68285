import type { EngineFix, EngineStatus } from '../../../shared/terminal/engine-status.ts';
import type { Accelerator } from './monitor/accelerator.ts';
import { FIRECRACKER_OLDEST, isTooOld, type MonitorName, type MonitorProgram } from './programs.ts';

/** Everything that the engine's status is decided from; see `decideStatus`. */
export interface MicrovmFacts {
  readonly platform: NodeJS.Platform;
  readonly processor: string;
  readonly monitor: MonitorName;
  readonly program: MonitorProgram | null;
  readonly hasSetpriv: boolean;
  /** What is wrong with the guest of this profile, in words; null when it can be used. */
  readonly guestProblem: string | null;
  /** Whether the monitor may use /dev/kvm. */
  readonly kvm: boolean;
  /** How QEMU's machines run here; null until the first one has. */
  readonly accelerator: Accelerator | null;
  /** What is wrong with the rest of the profile; null without one. */
  readonly profileProblem: string | null;
}

type Verdict = Pick<EngineStatus, 'usable' | 'summary' | 'fixes' | 'notes'>;

/** What the facts mean, in words. Pure: the same facts always give the same status. */
export function decideStatus(facts: MicrovmFacts): EngineStatus {
  return { kind: 'microvm', name: 'Micro-VM', version: facts.program?.version ?? null, ...decide(facts) };
}

function decide(facts: MicrovmFacts): Verdict {
  if (facts.platform !== 'linux' || facts.processor !== 'x64')
    return unusable(`Micro-VMs run on 64-bit x86 Linux; this is ${facts.platform} on ${facts.processor}.`, [
      { text: 'Use Airlock on such a machine, for example over SSH: airlock serve', command: null },
    ]);
  return (
    programProblem(facts) ??
    (facts.guestProblem === null
      ? null
      : unusable(facts.guestProblem, [{ text: 'Build the guest:', command: 'airlock guest build' }])) ??
    (facts.profileProblem === null ? null : unusable(facts.profileProblem, [])) ??
    usable(facts)
  );
}

function programProblem({ monitor, program, hasSetpriv, kvm }: MicrovmFacts): Verdict | null {
  if (program === null) {
    return monitor === 'qemu'
      ? unusable('QEMU is not installed.', installQemu())
      : unusable(
          'Firecracker is not installed: it is looked for as /usr/bin/firecracker and /usr/local/bin/firecracker.',
          [
            {
              text: 'Take a release of 1.8 or later: https://github.com/firecracker-microvm/firecracker/releases',
              command: null,
            },
            { text: 'Or choose QEMU in the profile (microvm.monitor).', command: null },
          ],
        );
  }
  if (program.version === null)
    return unusable(`${program.path} does not tell its version.`, [
      { text: 'See why:', command: `${program.path} --version` },
    ]);
  if (!hasSetpriv)
    return unusable('setpriv is missing, which takes a monitor’s rights away.', [
      { text: 'Debian, Ubuntu:', command: 'sudo apt-get install util-linux' },
    ]);
  if (monitor === 'qemu') return null;
  if (isTooOld(program.version, FIRECRACKER_OLDEST))
    return unusable(
      `Firecracker ${program.version} is too old: ${FIRECRACKER_OLDEST.join('.')} or newer is needed.`,
      [],
    );
  return kvm
    ? null
    : unusable('Firecracker needs KVM, and /dev/kvm is not there or not to be used by its process.', [
        { text: 'Let your user use it, then log in again:', command: 'sudo usermod -aG kvm "$USER"' },
        { text: 'Or choose QEMU in the profile (microvm.monitor), which can do without.', command: null },
      ]);
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

function unusable(summary: string, fixes: EngineFix[]): Verdict {
  return { usable: false, summary, fixes, notes: [] };
}

import { expect, it } from 'vitest';
import { decideStatus, type MicrovmFacts } from './status-words.ts';

const GOOD: MicrovmFacts = {
  platform: 'linux',
  processor: 'x64',
  monitor: 'qemu',
  program: { path: '/usr/bin/qemu-system-x86_64', version: '7.2.22' },
  hasSetpriv: true,
  guestProblem: null,
  kvm: false,
  kvmExists: false,
  accelerator: null,
  profileProblem: null,
};

it('everything there is ready, and says how fast', () => {
  expect(decideStatus(GOOD)).toMatchObject({
    usable: true,
    summary: 'QEMU 7.2.22 is ready.',
    version: '7.2.22',
  });
  expect(decideStatus(GOOD).notes.join()).toContain('emulated (TCG)');
  expect(decideStatus({ ...GOOD, kvm: true }).notes.join()).toContain('the first machine tries it');
  expect(decideStatus({ ...GOOD, accelerator: { kind: 'kvm' } }).notes).toEqual(['Machines run on KVM.']);
});

const NO_GUEST = {
  summary: 'No guest has been built yet.',
  fixes: [{ text: 'Build the guest:', command: 'npm run airlock -- guest build' }],
};
const firecracker = { ...GOOD, monitor: 'firecracker' as const, kvm: true };
it.each<[string, MicrovmFacts, string, string]>([
  ['another system', { ...GOOD, platform: 'darwin' }, '64-bit x86 Linux', 'npm run airlock -- serve'],
  ['no QEMU', { ...GOOD, program: null }, 'QEMU is not installed', 'apt-get install'],
  ['a silent QEMU', { ...GOOD, program: { path: '/q', version: null } }, 'does not tell', '/q --version'],
  ['no setpriv', { ...GOOD, hasSetpriv: false }, 'setpriv is missing', 'util-linux'],
  ['no guest', { ...GOOD, guestProblem: NO_GUEST }, 'No guest', 'npm run airlock -- guest build'],
  ['no Firecracker', { ...firecracker, program: null }, 'Firecracker is not installed', 'microvm.monitor'],
  ['no KVM', { ...firecracker, kvm: false }, 'this machine has no /dev/kvm', 'Switch virtualisation on'],
  ['no KVM for it', { ...firecracker, kvm: false, kvmExists: true }, 'may not use', 'usermod -aG kvm'],
])('%s is said, with what to do', (_, facts, summary, fix) => {
  const status = decideStatus(facts);
  expect(status.usable).toBe(false);
  expect(status.summary).toContain(summary);
  expect(JSON.stringify(status.fixes)).toContain(fix);
});

it('everything that is in the way is said at once, and what helps against two things once', () => {
  const none = { ...firecracker, program: null, kvm: false, guestProblem: NO_GUEST };
  const { summary, fixes } = decideStatus({ ...none, profileProblem: 'Network must be none.' });
  expect(summary).toMatch(
    /^Firecracker is not installed: .* this machine has no \/dev\/kvm\. No guest has been built yet\. Network must be none\.$/,
  );
  const qemu = fixes.filter(({ text }) => text.includes('QEMU'));
  expect(qemu).toEqual([
    {
      text: 'Or choose QEMU as Virtual machine monitor (microvm.monitor) in the profile, which can do without KVM.',
      command: null,
    },
  ]);
});

it('an old Firecracker and a profile that asks for too much are not usable', () => {
  const old = { path: '/f', version: '1.7.9' };
  expect(decideStatus({ ...firecracker, program: old }).summary).toContain('1.8 or newer');
  expect(decideStatus({ ...firecracker, program: { path: '/f', version: '1.13.0' } }).usable).toBe(true);
  expect(decideStatus({ ...GOOD, profileProblem: 'network must be "none".' })).toMatchObject({
    usable: false,
    summary: 'network must be "none".',
  });
});

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

const firecracker = { ...GOOD, monitor: 'firecracker' as const, kvm: true };
it.each<[string, MicrovmFacts, string, string]>([
  ['another system', { ...GOOD, platform: 'darwin' }, '64-bit x86 Linux', 'airlock serve'],
  ['no QEMU', { ...GOOD, program: null }, 'QEMU is not installed', 'apt-get install'],
  ['a silent QEMU', { ...GOOD, program: { path: '/q', version: null } }, 'does not tell', '/q --version'],
  ['no setpriv', { ...GOOD, hasSetpriv: false }, 'setpriv is missing', 'util-linux'],
  ['no guest', { ...GOOD, guestProblem: 'No guest has been built yet.' }, 'No guest', 'airlock guest build'],
  ['no Firecracker', { ...firecracker, program: null }, 'Firecracker is not installed', 'microvm.monitor'],
  ['no KVM for it', { ...firecracker, kvm: false }, 'needs KVM', 'usermod -aG kvm'],
])('%s is said, with what to do', (_, facts, summary, fix) => {
  const status = decideStatus(facts);
  expect(status.usable).toBe(false);
  expect(status.summary).toContain(summary);
  expect(JSON.stringify(status.fixes)).toContain(fix);
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

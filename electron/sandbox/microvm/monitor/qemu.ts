import type { Duplex } from 'node:stream';
import type { Accelerator } from './accelerator.ts';
import { KERNEL_ARGUMENTS, type Machine, type MachinePlan, type Monitor } from './monitor.ts';
import { deviceAccess, MonitorProcess } from './process.ts';

/** Descriptors of the monitor, in the order in which they are given. */
const DESCRIPTORS = { kernel: 3, initramfs: 4, control: 5, data: 6 } as const;

/** MiB of memory for the code that the emulator translates, without KVM. */
const TRANSLATION_MIB = 128;

/** What programs of the last fifteen years expect, and no more: a guest of one with everything takes a third longer to start. */
const EMULATED_CPU = 'qemu64,+ssse3,+sse4.1,+sse4.2,+popcnt,+cx16,+rdrand';

/**
 * QEMU's machine type `microvm`: a processor, memory, a serial port for the kernel's last words, and a virtio console with
 * two ports. Each port is one end of a pair of connected Unix sockets: nothing in the file system leads to a machine.
 */
export class QemuMonitor implements Monitor {
  readonly #program: string;
  readonly #version: string;
  readonly #accelerator: Accelerator;

  constructor(program: string, version: string, accelerator: Accelerator) {
    this.#program = program;
    this.#version = version;
    this.#accelerator = accelerator;
  }

  async start(plan: MachinePlan): Promise<Machine> {
    const process_ = await MonitorProcess.start({
      program: this.#program,
      args: machineArguments(plan, this.#accelerator),
      folder: '/',
      descriptors: [plan.kernel.fd, plan.initramfs.fd, 'pipe', 'pipe'],
      ...(this.#accelerator.kind === 'kvm' ? { group: deviceAccess('/dev/kvm').group } : {}),
    });
    const [control, data] = process_.pipes as [Duplex, Duplex];
    return {
      process: process_,
      name: `QEMU microvm, ${this.#accelerator.kind === 'kvm' ? 'KVM' : 'emulated (TCG)'}`,
      version: this.#version,
      // Connected from the start.
      dial: async () => ({ control, data }),
      removeFiles: async () => {},
    };
  }
}

/** The whole command line; the descriptors that it names are those of DESCRIPTORS. */
export function machineArguments(
  { memoryMiB, processors }: Pick<MachinePlan, 'memoryMiB' | 'processors'>,
  accelerator: Accelerator,
): string[] {
  return [
    ...['-nodefaults', '-no-user-config', '-display', 'none', '-monitor', 'none', '-no-reboot'],
    ...['-machine', 'microvm,rtc=on', '-m', `${memoryMiB}M`, '-smp', String(processors)],
    ...acceleratorArguments(accelerator),
    ...[
      '-kernel',
      `/proc/self/fd/${DESCRIPTORS.kernel}`,
      '-initrd',
      `/proc/self/fd/${DESCRIPTORS.initramfs}`,
    ],
    ...['-append', [...KERNEL_ARGUMENTS, 'reboot=t', ...clockArguments(accelerator)].join(' ')],
    ...['-chardev', 'stdio,id=console,signal=off', '-serial', 'chardev:console'],
    ...['-device', 'virtio-serial-device,max_ports=3'],
    ...port('control', DESCRIPTORS.control),
    ...port('data', DESCRIPTORS.data),
    ...['-sandbox', 'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny'],
  ];
}

function port(name: string, descriptor: number): string[] {
  return [
    ...['-chardev', `socket,id=${name},fd=${descriptor}`],
    ...['-device', `virtserialport,chardev=${name},name=airlock.${name}`],
  ];
}

function acceleratorArguments(accelerator: Accelerator): string[] {
  if (accelerator.kind === 'kvm') return ['-accel', 'kvm', '-cpu', 'host'];
  return ['-accel', `tcg,thread=multi,tb-size=${TRANSLATION_MIB}`, '-cpu', EMULATED_CPU];
}

/**
 * An emulated machine with ACPI has no clock that its kernel could measure its time-stamp counter with, and it counts as the
 * host's does. The kernel's defences against other programs on its processor are left out: its memory is one program's.
 */
function clockArguments(accelerator: Accelerator): string[] {
  return accelerator.kind === 'kvm' ? [] : [`tsc_early_khz=${accelerator.tscKhz}`, 'mitigations=off'];
}

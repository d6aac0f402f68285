import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { removeProcessFolder } from '../../process-folder.ts';
import { waitFor } from '../../wait.ts';
import type { Channels } from '../guest-link.ts';
import { callFirecracker, type FirecrackerApi } from './firecracker-api.ts';
import { makeMachineFolder } from './machine-folder.ts';
import { KERNEL_ARGUMENTS, type Machine, type MachinePlan, type Monitor } from './monitor.ts';
import { deviceAccess, MonitorProcess } from './process.ts';
import { dialVsock } from './vsock.ts';

/** Names in the machine's folder. */
const SOCKETS = { api: 'api.sock', vsock: 'v.sock' } as const;

/** Descriptors of the monitor. */
const DESCRIPTORS = { kernel: 3, initramfs: 4 } as const;

/** Ports of the guest's agent. */
const PORTS = { control: 1024, data: 1025 } as const;

/** The machine's address on its vsock; 0 to 2 are taken by the protocol. */
const GUEST_CID = 3;

/**
 * Firecracker: configured and started through its API, a Unix socket in a private folder of the machine; the guest's ports
 * are behind another one, its vsock.
 */
export class FirecrackerMonitor implements Monitor {
  readonly #program: string;
  readonly #version: string;

  constructor(program: string, version: string) {
    this.#program = program;
    this.#version = version;
  }

  async start(plan: MachinePlan): Promise<Machine> {
    const folder = await makeMachineFolder();
    try {
      const { group } = deviceAccess('/dev/kvm');
      const process_ = await MonitorProcess.start({
        program: this.#program,
        args: ['--api-sock', SOCKETS.api],
        folder,
        descriptors: [plan.kernel.fd, plan.initramfs.fd],
        ...(group === undefined ? {} : { group }),
      });
      return {
        process: process_,
        name: 'Firecracker, KVM',
        version: this.#version,
        dial: (signal) => bootAndDial(plan, folder, process_, signal),
        removeFiles: () => removeProcessFolder(folder),
      };
    } catch (error) {
      await removeProcessFolder(folder);
      throw error;
    }
  }
}

async function bootAndDial(
  plan: MachinePlan,
  folder: string,
  process_: MonitorProcess,
  signal: AbortSignal,
): Promise<Channels> {
  const ended = () => signal.aborted || !process_.isRunning;
  const socket = join(folder, SOCKETS.api);
  const there = await waitFor(() => (existsSync(socket) ? true : null), ended);
  if (there === null) throw new Error(`Its API did not open: ${process_.inWords()}.`);
  const api: FirecrackerApi = { socket, signal };
  await callFirecracker(api, '/machine-config', {
    vcpu_count: plan.processors,
    mem_size_mib: plan.memoryMiB,
    smt: false,
  });
  await callFirecracker(api, '/boot-source', {
    kernel_image_path: `/proc/self/fd/${DESCRIPTORS.kernel}`,
    initrd_path: `/proc/self/fd/${DESCRIPTORS.initramfs}`,
    boot_args: [...KERNEL_ARGUMENTS, 'reboot=k'].join(' '),
  });
  await callFirecracker(api, '/vsock', { guest_cid: GUEST_CID, uds_path: SOCKETS.vsock });
  await callFirecracker(api, '/actions', { action_type: 'InstanceStart' });
  const path = join(folder, SOCKETS.vsock);
  const control = await dialVsock({ path, port: PORTS.control, ended });
  try {
    return { control, data: await dialVsock({ path, port: PORTS.data, ended }) };
  } catch (error) {
    control.destroy();
    throw error;
  }
}

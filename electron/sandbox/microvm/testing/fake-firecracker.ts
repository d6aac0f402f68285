#!/usr/bin/env -S node
/**
 * What Airlock uses of Firecracker 1.8, as its API (firecracker.yaml) and docs/vsock.md describe them: the same requests in the
 * same order or a fault, the same dialogue on the vsock. Behind it runs a real machine, on QEMU, with the kernel and the file
 * system that the API was given; the two ports of its console stand for the two ports of the guest's vsock.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSocketServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { emulation } from '../monitor/accelerator.ts';
import { machineArguments } from '../monitor/qemu.ts';

if (process.argv.includes('--version')) {
  console.log('Firecracker v1.8.0');
  process.exit(0);
}
if (process.argv[2] !== '--api-sock' || process.argv[3] === undefined) {
  console.error('Arguments: --api-sock PATH');
  process.exit(153);
}

const bodies = {
  '/machine-config': z.strictObject({
    vcpu_count: z.number().int().min(1).max(32),
    mem_size_mib: z.number().int().min(1),
    smt: z.boolean().optional(),
  }),
  '/boot-source': z.strictObject({
    kernel_image_path: z.string(),
    initrd_path: z.string().optional(),
    boot_args: z.string().optional(),
  }),
  '/vsock': z.strictObject({ guest_cid: z.number().int().min(3), uds_path: z.string() }),
  '/actions': z.strictObject({ action_type: z.enum(['InstanceStart', 'FlushMetrics', 'SendCtrlAltDel']) }),
} as const;
type Path = keyof typeof bodies;

const given: { [P in Path]?: z.infer<(typeof bodies)[P]> } = {};
/** The guest's ports while nobody has them; null before the machine was started. */
let ports: Map<string, Duplex> | null = null;
let machine: ChildProcess | null = null;

createServer((request, response) => {
  void answer(request).then(
    () => response.writeHead(204).end(),
    (error: Error) => {
      response.writeHead(400, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ fault_message: error.message }));
    },
  );
}).listen(process.argv[3]);

async function answer(request: IncomingMessage): Promise<void> {
  const path = request.url as Path;
  if (request.method !== 'PUT' || !Object.hasOwn(bodies, path))
    throw new Error(`Invalid request method and/or path: ${request.method} ${request.url}.`);
  const body: unknown = JSON.parse(await text(request));
  const parsed = bodies[path].safeParse(body);
  if (!parsed.success)
    throw new Error(
      `An error occurred when deserializing the json body of a request: ${parsed.error.message}`,
    );
  if (machine) throw new Error('The requested operation is not supported after starting the microVM.');
  if (path === '/actions') start();
  else Object.assign(given, { [path]: parsed.data });
}

function start(): void {
  const source = given['/boot-source'];
  const config = given['/machine-config'];
  if (!source) throw new Error('Cannot start microvm without kernel configuration.');
  const plan = { memoryMiB: config?.mem_size_mib ?? 128, processors: config?.vcpu_count ?? 1 };
  // The descriptors that the paths of the API name are those that QEMU is told of.
  machine = spawn('/usr/bin/qemu-system-x86_64', machineArguments(plan, emulation('a test')), {
    stdio: ['ignore', 'inherit', 'inherit', 3, 4, 'pipe', 'pipe'],
  });
  machine.on('exit', () => process.exit(0));
  const [control, data] = machine.stdio.slice(5) as unknown as [Duplex, Duplex];
  ports = new Map([
    ['1024', control],
    ['1025', data],
  ]);
  if (given['/vsock']) createSocketServer((socket) => connectPort(socket)).listen(given['/vsock'].uds_path);
}

const tried = new Set<string>();
let number = 1_073_741_824;

/** `CONNECT port\n`; a port on which nobody listens, and any other line, closes the connection. */
function connectPort(socket: Socket): void {
  socket.on('error', () => {});
  socket.once('readable', () => {
    const line = (socket.read() as Buffer | null)?.toString() ?? '';
    const port = /^CONNECT (\d+)\n$/.exec(line)?.[1] ?? '';
    const guest = ports?.get(port);
    // The first try of each comes before the guest is there.
    if (guest === undefined || !tried.has(port)) {
      tried.add(port);
      socket.destroy();
      return;
    }
    ports?.delete(port);
    socket.write(`OK ${number++}\n`);
    socket.pipe(guest).pipe(socket);
  });
}

import { z } from 'zod';

/**
 * What a profile says to one engine alone: a section of its own, named as the engine's kind, left out where the engine's
 * defaults do. A section that lacks something is kept as it is; opening a session with it fails and names the field.
 */
const clean = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !/[\p{Cc}\p{Cf}]/u.test(value), {
      message: 'must not contain control or format characters',
    });
const file = clean(4095).nullable().default(null);

/** Where a Docker Engine API answers, and how it is spoken to. */
const endpoint = {
  endpoint: clean(512).default('').meta({
    title: 'Docker endpoint',
    description:
      'unix:///path, tcp://host:port or ssh://user@host. Empty: DOCKER_HOST, else the sockets of Docker and Podman.',
  }),
  certificates: file.meta({
    title: 'Certificates',
    description: 'A folder with ca.pem, cert.pem and key.pem. tcp: endpoints are spoken to with TLS only.',
  }),
};

export const containerSettingsSchema = z.strictObject({
  ...endpoint,
  image: clean(255)
    .default('')
    .meta({ title: 'Image', description: 'Of the endpoint’s own images: nothing is pulled unasked.' }),
  runtime: z.enum(['default', 'runsc']).default('default').meta({
    title: 'Runtime',
    description: 'runsc is gVisor: the program meets a kernel of its own.',
  }),
});
export type ContainerSettings = z.infer<typeof containerSettingsSchema>;

export const attachSettingsSchema = z.strictObject({
  ...endpoint,
  container: clean(255).default('').meta({
    title: 'Container',
    description: 'Name or id of a container that runs. The program is started in it; it is left as it is.',
  }),
});
export type AttachSettings = z.infer<typeof attachSettingsSchema>;

const milliseconds = (min: number, max: number, standard: number) =>
  z.number().int().min(min).max(max).default(standard);

/** Bounds and defaults of the smolvm client rules. */
export const smolvmSettingsSchema = z.strictObject({
  address: clean(2048).default('').meta({
    title: 'Address',
    description: 'unix:///path, http://127.0.0.1:port, or https://host with a token or a client certificate.',
  }),
  certificateAuthority: file.meta({ title: 'Certificate authority', description: 'A PEM file.' }),
  clientCertificate: file.meta({ title: 'Client certificate', description: 'A PEM file.' }),
  clientKey: file.meta({ title: 'Client key', description: 'A PEM file.' }),
  machine: clean(31).default('').meta({ title: 'Machine' }),
  startMachine: z.boolean().default(false).meta({
    title: 'Start the machine',
    description: 'Where it does not run. Otherwise opening fails.',
  }),
  sessionMs: milliseconds(1_000, 86_400_000, 3_600_000).meta({
    title: 'Longest session',
    description: 'Milliseconds from the start, whatever happens.',
  }),
  idleMs: milliseconds(1_000, 86_400_000, 3_600_000).meta({
    title: 'Longest silence',
    description: 'Milliseconds without input or output; no longer than the session.',
  }),
  closeMs: milliseconds(1, 5_000, 1_000).meta({ title: 'Closing', description: 'Milliseconds.' }),
  attachMs: milliseconds(100, 30_000, 5_000).meta({
    title: 'Waiting for a window',
    description: 'Milliseconds that a connection is kept with nobody who reads it.',
  }),
  maxBufferBytes: z.number().int().min(1_024).max(1_048_576).default(262_144).meta({
    title: 'Unread output',
    description: 'Bytes. More ends the session: nothing is dropped in silence.',
  }),
  maxInputBytes: z.number().int().min(1).max(65_536).default(16_384).meta({
    title: 'One input',
    description: 'Bytes that are sent at once.',
  }),
  maxRequestBytes: z.number().int().min(1).max(268_435_456).default(1_048_576).meta({
    title: 'All input',
    description: 'Bytes of one session.',
  }),
});
export type SmolvmSettings = z.infer<typeof smolvmSettingsSchema>;

export const microvmSettingsSchema = z.strictObject({
  monitor: z.enum(['qemu', 'firecracker']).default('qemu').meta({
    title: 'Virtual machine monitor',
    description: 'Which program runs the machine; what is in it is the same.',
  }),
  kernel: file.meta({
    title: 'Kernel',
    description: 'An uncompressed or bzImage Linux kernel. None: the one that “airlock guest build” made.',
  }),
  initramfs: file.meta({
    title: 'Initial file system',
    description: 'None: the one that “airlock guest build” made.',
  }),
  startupMs: milliseconds(1_000, 300_000, 60_000).meta({
    title: 'Start-up',
    description: 'Milliseconds until the machine must have started its program.',
  }),
  lifetimeMs: milliseconds(10_000, 604_800_000, 28_800_000).meta({
    title: 'Lifetime',
    description: 'Milliseconds after which the machine is removed, whatever it does.',
  }),
});
export type MicrovmSettings = z.infer<typeof microvmSettingsSchema>;

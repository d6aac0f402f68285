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

const integer = (min: number, max: number) => z.number().int().min(min).max(max);

/** What the page shows of a number in the file, and takes for it, with a unit: "8 h", "256 KiB". */
export type FileUnit = 'milliseconds' | 'bytes';
const milliseconds = (min: number, max: number, standard: number) =>
  integer(min, max)
    .default(standard)
    .meta({ unit: 'milliseconds' satisfies FileUnit });
const bytes = { unit: 'bytes' satisfies FileUnit };

/** Bytes that a machine of smolvm gets at once, at most: its terminal drops what does not fit, and says nothing. */
export const SMOLVM_PIECE_MAX_BYTES = 1_024;

/** What earlier versions took for a piece, though they never sent so much at once: it means the most that is sent. */
const FORMER_PIECE_MAX_BYTES = 65_536;
const asPiece = (bytes: number) =>
  bytes <= FORMER_PIECE_MAX_BYTES ? Math.min(bytes, SMOLVM_PIECE_MAX_BYTES) : bytes;

/** Bounds and defaults of the smolvm client rules. */
export const smolvmSettingsSchema = z.strictObject({
  address: clean(2048).default('').meta({
    title: 'Address',
    description:
      'unix:///path, http://127.0.0.1:port, or https://host:port with a token or a client certificate.',
  }),
  certificateAuthority: file.meta({ title: 'Certificate authority', description: 'A PEM file.' }),
  clientCertificate: file.meta({ title: 'Client certificate', description: 'A PEM file.' }),
  clientKey: file.meta({ title: 'Client key', description: 'A PEM file.' }),
  machine: clean(31).default('').meta({
    title: 'Machine',
    description: 'One of the server’s, by its name: the program runs in it, and it is kept.',
  }),
  startMachine: z.boolean().default(false).meta({
    title: 'Start the machine',
    description: 'Where it does not run. Otherwise opening fails.',
  }),
  sessionMs: milliseconds(1_000, 86_400_000, 3_600_000).meta({
    title: 'Longest session',
    description: 'From the start, whatever happens.',
  }),
  idleMs: milliseconds(1_000, 86_400_000, 3_600_000).meta({
    title: 'Longest silence',
    description: 'Without input or output; no longer than the session.',
  }),
  closeMs: milliseconds(1, 5_000, 1_000).meta({
    title: 'Closing',
    description: 'How long a connection that was closed is waited for.',
  }),
  attachMs: milliseconds(100, 30_000, 5_000).meta({
    title: 'Waiting for a window',
    description: 'How long a connection is kept with nobody who reads it.',
  }),
  maxBufferBytes: integer(1_024, 1_048_576)
    .default(262_144)
    .meta({
      ...bytes,
      title: 'Unread output',
      description: 'More ends the session: nothing is dropped in silence.',
    }),
  maxInputBytes: z
    .number()
    .int()
    .min(1)
    .overwrite(asPiece)
    .max(SMOLVM_PIECE_MAX_BYTES)
    .default(SMOLVM_PIECE_MAX_BYTES)
    .meta({ ...bytes, title: 'One input', description: 'Sent at once; a paste goes in pieces of it.' }),
  maxRequestBytes: integer(1, 268_435_456)
    .default(1_048_576)
    .meta({
      ...bytes,
      title: 'All input',
      description: 'Typed and pasted in one session.',
    }),
});
export type SmolvmSettings = z.infer<typeof smolvmSettingsSchema>;

/** MiB of a micro-VM below which its kernel and file system leave too little to work with. */
export const MICROVM_MEMORY_MIN_MIB = 128;

export const microvmSettingsSchema = z.strictObject({
  monitor: z.enum(['qemu', 'firecracker']).default('qemu').meta({
    title: 'Virtual machine monitor',
    description: 'Which program runs the machine; what is in it is the same.',
  }),
  kernel: file.meta({
    title: 'Kernel',
    description: 'An uncompressed or bzImage Linux kernel. None: the one of the guest that was built.',
  }),
  initramfs: file.meta({
    title: 'Initial file system',
    description: 'None: the one of the guest that was built.',
  }),
  startupMs: milliseconds(1_000, 300_000, 60_000).meta({
    title: 'Start-up',
    description: 'Until then the machine must have started its program.',
  }),
  lifetimeMs: milliseconds(10_000, 604_800_000, 28_800_000).meta({
    title: 'Lifetime',
    description: 'After it the machine is removed, whatever it does.',
  }),
});
export type MicrovmSettings = z.infer<typeof microvmSettingsSchema>;

import { z } from 'zod';
import { attachSettingsSchema, smolvmSettingsSchema } from '../settings/engine-settings.ts';
import { hostTokenSchema } from '../settings/host-token.ts';
import { profileIdSchema, profileSchema } from '../settings/schema.ts';
import { engineStatusSchema } from '../terminal/engine-status.ts';
import { terminalSizeSchema } from '../terminal/size.ts';
import { openedSessionSchema } from './session-shapes.ts';

const none = z.object({});

/** Entries of one list of a daemon, at most; the rest is counted. */
export const ENGINE_ITEMS_MAX = 1_000;

/** Of a daemon: text from outside, to be drawn with what is invisible in it shown. */
const foreign = (max: number) => z.string().max(max);
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Where a Docker Engine API answers, as a profile's section says it. */
export const containerEndpointSchema = attachSettingsSchema.pick({ endpoint: true, certificates: true });
export type ContainerEndpoint = z.infer<typeof containerEndpointSchema>;

/** One name of one image. */
export const containerImageSchema = z.object({
  name: foreign(512),
  id: foreign(128),
  bytes: count,
  /** Unix time in milliseconds. */
  createdAt: z.number(),
});
export type ContainerImage = z.infer<typeof containerImageSchema>;

export const runningContainerSchema = z.object({
  name: foreign(256),
  id: foreign(128),
  image: foreign(512),
  /** As the daemon says it: "Up 3 hours". */
  status: foreign(256),
});
export type RunningContainer = z.infer<typeof runningContainerSchema>;

/** How far a pull is. `totalBytes` grows while the daemon learns of layers, and is null before it knows of one. */
export const pullProgressSchema = z.object({
  text: foreign(256),
  doneBytes: count,
  totalBytes: count.nullable(),
});
export type PullProgress = z.infer<typeof pullProgressSchema>;

/** As the client has named it. */
export const pullIdSchema = z.uuid();

/** Which smolvm server: the profile's id is what its token is kept under, for the address of `smolvm` alone. */
const smolvmServer = { profileId: profileIdSchema, smolvm: smolvmSettingsSchema };
export const machineNameSchema = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,30}$/, {
  message: 'must be 1 to 31 of a-z, 0-9, - and _, not starting with - or _',
});
const onMachine = z.object({ ...smolvmServer, name: machineNameSchema });

export const machineSchema = z.object({
  name: foreign(128),
  /** As the server says it: created, running, stopped and others. */
  state: foreign(64),
  image: foreign(512).nullable(),
  cpus: count.nullable(),
  memoryMiB: count.nullable(),
  /** Null where the server does not say. */
  network: z.boolean().nullable(),
});
export type Machine = z.infer<typeof machineSchema>;

/** A session whose end on the machine nobody knows: until a person has looked, nothing else is done on that machine. */
export const unresolvedSessionSchema = z.object({
  machine: foreign(128),
  sessionId: z.string().max(64),
  /** ISO 8601, of when the session became unknown. */
  since: z.string().max(64),
  /** One sentence or two: what happened. */
  reason: foreign(1_024),
});
export type UnresolvedSession = z.infer<typeof unresolvedSessionSchema>;

export const newMachineSchema = z.object({
  name: machineNameSchema,
  image: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[!-~]+$/, { message: 'must be visible ASCII characters without blanks' }),
  cpus: z.number().int().min(1).max(64).default(2),
  memoryMiB: z.number().int().min(128).max(1_048_576).default(1024),
  network: z.boolean().default(false),
});
export type NewMachine = z.infer<typeof newMachineSchema>;

const listed = <T extends z.ZodType>(item: T) => z.array(item).max(ENGINE_ITEMS_MAX);

/**
 * Engines and what they work with. Every verb about a daemon or a server rejects with engine-unavailable (it does not answer,
 * or is none that Airlock can use), engine-refused (it answered no; the message says what it said) or profile-invalid (the
 * section names something that cannot be used). What they list is untrusted text.
 */
export const engineRequests = {
  /** `refresh` probes again; otherwise the last answer is given. */
  'engines.list': {
    params: z.object({ refresh: z.boolean().optional() }),
    result: z.array(engineStatusSchema),
  },
  /**
   * Whether the engine of a profile is usable with the profile's values, which need not be saved. Answers within
   * PROBE_DEADLINE_MS; starts nothing that stays.
   */
  'engines.check': { params: z.object({ profile: profileSchema }), result: engineStatusSchema },
  /**
   * Opens a throw-away session of a profile that need not be saved: named "Try: NAME", not recorded, and otherwise like
   * `session.open`, with the same rejections.
   */
  'session.try': {
    params: z.object({ profile: profileSchema, size: terminalSizeSchema }),
    result: openedSessionSchema,
  },
  /** Newest first. */
  'containers.images': {
    params: containerEndpointSchema,
    result: z.object({ images: listed(containerImageSchema), more: count }),
  },
  /** By name. */
  'containers.running': {
    params: containerEndpointSchema,
    result: z.object({ containers: listed(runningContainerSchema), more: count }),
  },
  /**
   * Has the daemon fetch an image from its registry; resolves when it is there. `engines.pull-progress` events with `pullId`,
   * which the client makes up, come meanwhile. Given up when the client goes. Rejects also: pull-cancelled.
   */
  'containers.pull': {
    params: containerEndpointSchema.extend({ pullId: pullIdSchema, image: newMachineSchema.shape.image }),
    result: none,
  },
  /** Resolves at once; the pull rejects. Does nothing for a pull that is over or another client's. */
  'containers.cancel-pull': { params: z.object({ pullId: pullIdSchema }), result: none },
  /** By name, with the sessions that nobody knows the end of. */
  'machines.list': {
    params: z.object(smolvmServer),
    result: z.object({
      version: foreign(64),
      machines: listed(machineSchema),
      more: count,
      unresolved: listed(unresolvedSessionSchema),
    }),
  },
  'machines.create': { params: z.object({ ...smolvmServer, machine: newMachineSchema }), result: none },
  'machines.start': { params: onMachine, result: none },
  /** Rejects also where a session on the machine is unresolved or open: engine-refused. */
  'machines.stop': { params: onMachine, result: none },
  /** Its disks go with it. Rejects as `machines.stop`. */
  'machines.delete': { params: onMachine, result: none },
  /** A person has looked at what a session left. Does nothing where it is resolved already. */
  'machines.resolve': {
    params: z.object({ ...smolvmServer, sessionId: z.string().max(64) }),
    result: none,
  },
  /** Whether a token is kept for the profile and this address. No verb gives it back. */
  'machines.token': { params: z.object(smolvmServer), result: z.object({ kept: z.boolean() }) },
  /** Keeps the token of a saved profile, for the address that the profile has now. Rejects: profile-unknown, token-not-kept. */
  'machines.set-token': {
    params: z.object({ profileId: profileIdSchema, token: hostTokenSchema }),
    result: none,
  },
  /** Rejects: token-not-kept. */
  'machines.forget-token': { params: z.object({ profileId: profileIdSchema }), result: none },
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>;

import { z } from 'zod';
import { attachSettingsSchema } from '../settings/engine-settings.ts';
import { hostTokenSchema } from '../settings/host-token.ts';
import { profileIdSchema, profileSchema } from '../settings/schema.ts';
import { engineStatusSchema } from '../terminal/engine-status.ts';
import { terminalSizeSchema } from '../terminal/size.ts';
import {
  newSmolvmMachineSchema,
  smolvmMachineNameSchema,
  smolvmMachineSchema,
  unresolvedSessionSchema,
} from '../terminal/smolvm-machine.ts';
import { openedSessionSchema } from './session-shapes.ts';

const none = z.object({});

/** Entries of one list of a daemon or a server, at most. */
export const ENGINE_ITEMS_MAX = 1_024;

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

/** The server, and the place of the token, that this profile means; it need not be saved. */
const onServer = z.object({ profile: profileSchema });
const onMachine = onServer.extend({ name: smolvmMachineNameSchema });

/** What a daemon can be asked to fetch: "alpine:3.20". */
export const imageNameSchema = newSmolvmMachineSchema.shape.image;

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
    params: containerEndpointSchema.extend({ pullId: pullIdSchema, image: imageNameSchema }),
    result: none,
  },
  /** Resolves at once; the pull rejects. Does nothing for a pull that is over or another client's. */
  'containers.cancel-pull': { params: z.object({ pullId: pullIdSchema }), result: none },
  /** As the server lists them. */
  'machines.list': { params: onServer, result: z.object({ machines: listed(smolvmMachineSchema) }) },
  /** Rejects also: machine-uncertain, when it may or may not have been done. So do the next three. */
  'machines.create': { params: onServer.extend({ machine: newSmolvmMachineSchema }), result: none },
  'machines.start': { params: onMachine, result: none },
  /** Refused while a session of the machine is open, or unresolved. */
  'machines.stop': { params: onMachine, result: none },
  /** With its disks. Refused as `machines.stop`. */
  'machines.delete': { params: onMachine, result: none },
  /** Sessions of every server whose end nobody knows, the oldest first, without those whose record cannot be read. */
  'machines.unresolved': {
    params: none,
    result: z.object({ unresolved: z.array(unresolvedSessionSchema) }),
  },
  /** A person has looked at the machine: it takes sessions again. */
  'machines.resolve': {
    params: unresolvedSessionSchema.pick({ address: true, machine: true }),
    result: none,
  },
  /** Whether a token is kept for the profile at its address. No verb gives it back. */
  'machines.token': { params: onServer, result: z.object({ kept: z.boolean() }) },
  /** Keeps the token of a saved profile, for the address that the profile has now. Rejects: profile-unknown, token-not-kept. */
  'machines.set-token': {
    params: z.object({ profileId: profileIdSchema, token: hostTokenSchema }),
    result: none,
  },
  /** Rejects: profile-unknown, token-not-kept. */
  'machines.forget-token': { params: z.object({ profileId: profileIdSchema }), result: none },
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>;

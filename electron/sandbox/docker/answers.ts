import { z } from 'zod';
import { cleanWords } from './daemon-error.ts';

/**
 * What is read of a daemon's answers. Docker and Podman leave fields out, or say null where there is nothing; anything
 * else than what stands here is no answer.
 */
const text = z.string().max(4_096);
/** What a person may be shown of it. */
const words = text.transform(cleanWords);
const id = z.string().regex(/^[0-9a-f]{12,64}$/);
const orNothing = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? null);
const list = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .array(schema)
    .nullish()
    .transform((value) => value ?? []);

/** The headers of an answer to a ping. */
export const pingSchema = z.object({
  'api-version': z.string().regex(/^\d{1,3}\.\d{1,3}$/),
  /** Podman's alone. */
  'libpod-api-version': words.optional(),
  server: words.optional(),
});

export const infoSchema = z.object({
  OSType: orNothing(words),
  KernelVersion: orNothing(words),
  SecurityOptions: list(text),
  Runtimes: orNothing(z.record(z.string(), z.unknown())),
  DefaultRuntime: orNothing(words),
  MemoryLimit: z.boolean().default(false),
  PidsLimit: z.boolean().default(false),
  CpuCfsQuota: z.boolean().default(false),
  CgroupVersion: orNothing(words),
  /** Podman's own word; its older versions say it nowhere else. */
  Rootless: z.boolean().default(false),
});
export type DaemonInfo = z.infer<typeof infoSchema>;

/** Whether a daemon says of itself that it runs as an ordinary user. */
export function isRootless({ SecurityOptions, Rootless }: DaemonInfo): boolean {
  return Rootless || hasSecurityOption(SecurityOptions, 'rootless');
}

/** `name` among what a daemon lists as "name=NAME,…". */
export function hasSecurityOption(options: DaemonInfo['SecurityOptions'], name: string): boolean {
  return options.some((option) => option.split(',').includes(`name=${name}`));
}

export const imageSchema = z.object({
  Id: text,
  Os: orNothing(text),
  Config: orNothing(
    z.object({ Env: list(z.string()), Volumes: orNothing(z.record(z.string().max(4_095), z.unknown())) }),
  ),
});

export type ImageFacts = z.infer<typeof imageSchema>;

export const createdSchema = z.object({ Id: id });

const amount = z.number().int().nullish();

export const containerSchema = z.object({
  Id: id,
  Name: orNothing(words),
  State: z.object({
    Status: orNothing(words),
    Running: z.boolean(),
    OOMKilled: z.boolean().default(false),
    ExitCode: z.number().int().nullish(),
    Error: orNothing(words),
  }),
  Config: z.object({
    User: orNothing(words),
    Labels: orNothing(z.record(z.string(), z.string())),
  }),
  HostConfig: z.object({
    Privileged: z.boolean().default(false),
    NetworkMode: orNothing(words),
    Runtime: orNothing(words),
    Memory: amount,
    NanoCpus: amount,
    CpuPeriod: amount,
    CpuQuota: amount,
    PidsLimit: amount,
    Tmpfs: orNothing(z.record(z.string(), text)),
    Ulimits: list(z.object({ Name: text, Soft: z.number(), Hard: z.number() })),
  }),
  /** Podman's word for the runtime; its HostConfig.Runtime says nothing. */
  OCIRuntime: orNothing(words),
});
export type ContainerFacts = z.infer<typeof containerSchema>;

export const waitSchema = z.object({ StatusCode: z.number().int().nullish() });

export const execSchema = z.object({
  Running: z.boolean(),
  ExitCode: z.number().int().nullish(),
});
export type ExecFacts = z.infer<typeof execSchema>;

/** The last second that a date can be of. */
const LATEST_S = 8_640_000_000_000;

export const imageListSchema = z
  .array(
    z.object({
      Id: text,
      RepoTags: list(text),
      RepoDigests: list(text),
      Created: z.number().int().nonnegative().max(LATEST_S),
      Size: z.number().nonnegative().max(Number.MAX_SAFE_INTEGER),
    }),
  )
  .max(10_000);

export const containerListSchema = z
  .array(
    z.object({
      Id: id,
      Names: list(text),
      Image: text,
      Status: orNothing(text),
      Labels: orNothing(z.record(z.string(), z.string())),
    }),
  )
  .max(10_000);

import { z } from 'zod';
import type { NewSmolvmMachine } from '../../../shared/terminal/smolvm-machine.ts';
import type { Endpoint } from './endpoint.ts';
import { SmolvmFailure } from './failure.ts';
import { SMOLVM_MACHINES_MAX, SMOLVM_VERSIONS, type SmolvmTiming } from './limits.ts';
import { type RestAnswer, restRequest } from './request.ts';

const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !/[\p{Cc}\p{Cf}]/u.test(value));

const healthSchema = z.object({
  status: z.literal('ok'),
  version: z.string().regex(/^[0-9A-Za-z][\w.+-]{0,63}$/),
});

/** What is used of the server's MachineInfo; there is more, and it grows with the versions. */
export const machineInfoSchema = z.object({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/),
  state: z.string().regex(/^[a-z][a-z_-]{0,31}$/),
  image: text(1_024).nullish(),
  branchable: z.boolean().optional(),
  cpus: z.number().int().positive().max(4_096).nullish(),
  memoryMb: z.number().int().positive().max(67_108_864).nullish(),
  network: z.boolean().nullish(),
  mounts: z
    .array(z.object({ source: text(4_096), target: text(4_096), readonly: z.boolean().default(false) }))
    .max(256)
    .nullish(),
});
export type MachineInfo = z.infer<typeof machineInfoSchema>;

const machineListSchema = z.object({ machines: z.array(machineInfoSchema).max(SMOLVM_MACHINES_MAX) });
const errorSchema = z.object({ code: z.string().regex(/^[A-Z_]{1,32}$/) });

/**
 * The REST API of one smolvm server, as far as a terminal needs it. Everything in an answer is bounded and validated, or none
 * of it is used; every call has an absolute time limit. Rejects with SmolvmFailure alone.
 */
export class SmolvmApi {
  readonly endpoint: Endpoint;
  readonly #timing: SmolvmTiming;

  constructor(endpoint: Endpoint, timing: SmolvmTiming) {
    this.endpoint = endpoint;
    this.#timing = timing;
  }

  /** The exact version, of those that are known (rule 1). Any other is `unsupported`. */
  async version(signal: AbortSignal): Promise<string> {
    const answer = await this.#read('/health', signal);
    const health = healthSchema.safeParse(answer.json);
    if (answer.status === 401 || answer.status === 403) throw this.#notAuthenticated();
    if (answer.status !== 200 || !health.success) {
      throw new SmolvmFailure(
        'unsupported',
        `What answers at ${this.endpoint.address} is not a smolvm server.`,
      );
    }
    const { version } = health.data;
    if ((SMOLVM_VERSIONS as readonly string[]).includes(version)) return version;
    throw new SmolvmFailure(
      'unsupported',
      `Version ${version} of smolvm is not one of ${SMOLVM_VERSIONS.join(', ')}, which Airlock knows how to speak to: run one of these at ${this.endpoint.address}.`,
    );
  }

  /** Whether it takes work now. */
  async ready(signal: AbortSignal): Promise<boolean> {
    return (await this.#read('/readyz', signal)).status === 200;
  }

  async machines(signal: AbortSignal): Promise<readonly MachineInfo[]> {
    const answer = await this.#read('/api/v1/machines', signal);
    return this.#parsed(answer, machineListSchema, 'The list of machines').machines;
  }

  /** Starts nothing. */
  async machine(name: string, signal: AbortSignal): Promise<MachineInfo> {
    const answer = await this.#read(pathOf(name), signal);
    if (answer.status === 404) throw this.#unknown(name);
    const machine = this.#parsed(answer, machineInfoSchema, `The description of the machine "${name}"`);
    if (machine.name === name) return machine;
    throw new SmolvmFailure(
      'unsupported',
      `smolvm described another machine than "${name}", which was asked for.`,
    );
  }

  async create(machine: NewSmolvmMachine, signal: AbortSignal): Promise<void> {
    const { name, image, cpus, memoryMiB, storageGiB, network } = machine;
    const body = { name, image, cpus, memoryMb: memoryMiB, storageGb: storageGiB, network };
    const answer = await this.#change('POST', '/api/v1/machines', body, signal);
    if (answer.status === 409) throw new SmolvmFailure('refused', `There is a machine "${name}" already.`);
    this.#done(answer, `The machine "${name}" was not made`);
  }

  /** Does nothing to one that runs. */
  async start(name: string, signal: AbortSignal): Promise<void> {
    const answer = await this.#change('POST', `${pathOf(name)}/start`, {}, signal);
    if (answer.status === 404) throw this.#unknown(name);
    this.#done(answer, `The machine "${name}" was not started`);
  }

  /** Does nothing to one that is stopped. Its disks stay. */
  async stop(name: string, signal: AbortSignal): Promise<void> {
    const answer = await this.#change('POST', `${pathOf(name)}/stop`, {}, signal);
    if (answer.status === 404) throw this.#unknown(name);
    this.#done(answer, `The machine "${name}" was not stopped`);
  }

  /** With its disks. */
  async delete(name: string, signal: AbortSignal): Promise<void> {
    const answer = await this.#change('DELETE', pathOf(name), undefined, signal);
    if (answer.status === 404) throw this.#unknown(name);
    this.#done(answer, `The machine "${name}" was not deleted`);
  }

  /** What a GET does not answer it did not do either: nothing of it is uncertain. */
  async #read(path: string, signal: AbortSignal): Promise<RestAnswer> {
    const { readMs: limitMs, connectMs } = this.#timing;
    try {
      return await restRequest(this.endpoint, { method: 'GET', path, limitMs, connectMs, signal });
    } catch (error) {
      throw error instanceof SmolvmFailure ? new SmolvmFailure('unreachable', error.message) : error;
    }
  }

  async #change(
    method: 'POST' | 'DELETE',
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<RestAnswer> {
    const { changeMs: limitMs, connectMs } = this.#timing;
    const request = { method, path, limitMs, connectMs, signal, ...(body !== undefined && { body }) };
    try {
      return await restRequest(this.endpoint, request);
    } catch (error) {
      if (!(error instanceof SmolvmFailure) || error.kind !== 'uncertain') throw error;
      throw new SmolvmFailure(
        'uncertain',
        `${error.message} It may have been done all the same: look at the machines again.`,
      );
    }
  }

  #parsed<T>(answer: RestAnswer, schema: z.ZodType<T>, what: string): T {
    if (answer.status !== 200) throw this.#statusFailure(answer, `${what} was not given`);
    const parsed = schema.safeParse(answer.json);
    if (parsed.success) return parsed.data;
    throw new SmolvmFailure('unsupported', `${what} is not formed as it must be.`);
  }

  #done(answer: RestAnswer, otherwise: string): void {
    if (answer.status !== 200) throw this.#statusFailure(answer, otherwise);
  }

  #statusFailure({ status, json }: RestAnswer, what: string): SmolvmFailure {
    if (status === 401 || status === 403) return this.#notAuthenticated();
    const { data } = errorSchema.safeParse(json);
    const code = data === undefined ? '' : `, ${data.code}`;
    const certain = status >= 300 && status < 500 && status !== 408;
    return new SmolvmFailure(
      certain ? 'refused' : 'uncertain',
      `${what}: smolvm answered with status ${status}${code}.`,
    );
  }

  #notAuthenticated(): SmolvmFailure {
    return new SmolvmFailure(
      'authentication',
      `${this.endpoint.address} does not let this profile in: save the token that it was given, or name the certificate that it expects.`,
    );
  }

  #unknown(name: string): SmolvmFailure {
    return new SmolvmFailure('refused', `There is no machine "${name}" at ${this.endpoint.address}.`);
  }
}

function pathOf(name: string): string {
  return `/api/v1/machines/${encodeURIComponent(name)}`;
}

import { z } from 'zod';
import { SYMBIONT } from '../../shared/governed/limits.ts';
import { fail, ok, type Result } from '../../shared/result.ts';

/** Where a `symbi up` answers and what lets one in. */
export interface SymbiontEndpoint {
  /** As `http://127.0.0.1:8080`, without a path: `symbiontAddressProblem` finds nothing wrong with it. */
  readonly address: string;
  /** Bearer token: the environment's, or `keyid.secret`. */
  readonly token: string;
}

/** Exactly the fields of section 4.2; one that is not known refuses the list (A12). */
const heldActionSchema = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  agent_id: z.string(),
  kind: z.enum(['tool_call', 'delegate', 'schedule', 'other']),
  summary: z.string(),
  reason: z.string(),
  context_snapshot: z.unknown(),
  created_at: z.iso.datetime({ offset: true }),
  expires_at: z.iso.datetime({ offset: true }),
  status: z.literal('pending'),
});
export type HeldAction = z.infer<typeof heldActionSchema>;

export interface Held {
  readonly action: HeldAction;
  /** False when a number in it has more digits than can be kept: what is shown would not be what was read (A12). */
  readonly exact: boolean;
}

const heldActionsSchema = z.array(heldActionSchema).max(SYMBIONT.rowsMax);
/** Everything that is shown of it is checked to be harmless. */
const healthSchema = z.object({ version: z.string().regex(/^[0-9A-Za-z][\w.+-]{0,63}$/) });

/**
 * `refused`: it was answered, and nothing was done. `limited`: the same, for asking too often. `unknown`: there was no answer
 * to go by; a decision may or may not have been carried out.
 */
export type SymbiontError = { readonly kind: 'refused' | 'limited' | 'unknown'; readonly text: string };
type Answer<T> = Promise<Result<T, SymbiontError>>;

/**
 * The REST API of one `symbi up` (reference 4.2), as far as approvals need it. Never rejects. The runtime is not trusted: its
 * answers are bounded in size and time, and no redirect of it is followed, so that the token goes to its address alone.
 */
export class SymbiontApi {
  readonly #endpoint: SymbiontEndpoint;
  readonly #callMs: number;

  /** `callMs`: milliseconds until an answer must be there to its end. */
  constructor(endpoint: SymbiontEndpoint, callMs: number = SYMBIONT.callMs) {
    this.#endpoint = endpoint;
    this.#callMs = callMs;
  }

  /** A11: which version answers. Asked without the token: what is no Symbiont runtime does not get it. */
  async version(signal: AbortSignal): Answer<string> {
    const answer = await this.#call('GET', '/api/v1/health', { signal });
    if (!answer.ok) return answer;
    const { status, json } = answer.value;
    const health = healthSchema.safeParse(json);
    if (status === 200 && health.success) return ok(health.data.version);
    if (status === 429) return fail(problemOf(status, json));
    return fail(refused('This address does not answer as a Symbiont runtime.'));
  }

  /** A12: all of it is well formed and within the bounds, or none of it is used. */
  async held(signal: AbortSignal): Answer<readonly Held[]> {
    const answer = await this.#call('GET', '/api/v1/approvals', { headers: this.#authorization, signal });
    if (!answer.ok) return answer;
    const { status, json, inexact } = answer.value;
    if (status !== 200) return fail(problemOf(status, json));
    const parsed = heldActionsSchema.safeParse(json);
    if (!parsed.success) return fail(refused('The list of held actions is not formed as it must be.'));
    if (new Set(parsed.data.map(({ id }) => id)).size < parsed.data.length) {
      return fail(refused('The list of held actions names one of them twice.'));
    }
    return ok(parsed.data.map((action, n) => ({ action, exact: !inexact.has((json as object[])[n] ?? {}) })));
  }

  /** A12: a time-out means that the outcome is unknown. */
  async decide(
    id: string,
    decision: 'approve' | 'deny',
    reason: string | null,
    signal: AbortSignal,
  ): Answer<null> {
    const headers = { ...this.#authorization, 'Content-Type': 'application/json' };
    const body = JSON.stringify(reason === null ? {} : { reason });
    const answer = await this.#call('POST', `/api/v1/approvals/${id}/${decision}`, { headers, body, signal });
    if (!answer.ok) return answer;
    const { status, json } = answer.value;
    return status === 200 ? ok(null) : fail(problemOf(status, json));
  }

  get #authorization(): Record<string, string> {
    return { Authorization: `Bearer ${this.#endpoint.token}` };
  }

  async #call(
    method: string,
    path: string,
    { signal, ...options }: RequestInit & { readonly signal: AbortSignal },
  ): Answer<{ readonly status: number } & ReadJson> {
    try {
      const response = await fetch(new URL(path, this.#endpoint.address), {
        ...options,
        method,
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(this.#callMs)]),
      });
      return ok({ status: response.status, ...readJson(await boundedText(response)) });
    } catch (error) {
      return fail({ kind: 'unknown', text: `The Symbiont runtime does not answer (${causeOf(error)}).` });
    }
  }
}

/** Rejects when there is more than SYMBIONT.bodyMaxBytes. */
async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > SYMBIONT.bodyMaxBytes) throw new Error('its answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

interface ReadJson {
  /** Undefined for what is no JSON, which is what an answer without a body is. */
  readonly json: unknown;
  /** The objects and lists that have, however deep, a number that is not what was written. */
  readonly inexact: WeakSet<object>;
}

function readJson(text: string): ReadJson {
  const inexact = new WeakSet<object>();
  // Called for the inner values first, with the object that holds the value as `this`.
  function look(this: object, _key: string, value: unknown, context?: { readonly source?: string }) {
    const lossy =
      typeof value === 'number' ? !isExact(value, context?.source) : isObject(value) && inexact.has(value);
    if (lossy) inexact.add(this);
    return value;
  }
  try {
    return { json: JSON.parse(text, look), inexact };
  } catch {
    return { json: undefined, inexact };
  }
}

/** A number keeps 15 digits, whatever they are. */
function isExact(value: number, source: string | undefined): boolean {
  if (source === undefined || !Number.isFinite(value)) return false;
  const digits = source.replace(/[eE].*$/, '').replace(/^-?[0.]*|\./g, '');
  return value === 0 ? digits === '' : digits.length <= 15;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function problemOf(status: number, json: unknown): SymbiontError {
  const text = wordsFor(status, json);
  if (status === 429) return { kind: 'limited', text };
  return { kind: status >= 400 && status < 500 ? 'refused' : 'unknown', text };
}

function wordsFor(status: number, json: unknown): string {
  switch (status) {
    case 401:
      return 'The Symbiont runtime does not accept the token.';
    case 403:
      return 'This key may see held actions and not decide them (ADMIN_REQUIRED).';
    case 404:
      // A11: without a body the queue is not attached to this server.
      return json === undefined
        ? 'This Symbiont runtime has no approval queue.'
        : 'The Symbiont runtime no longer holds this action.';
    case 409:
      return 'It was decided elsewhere already.';
    case 410:
      return 'It has expired at the Symbiont runtime.';
    case 429:
      return 'The Symbiont runtime has too many requests; it is asked again later.';
    default:
      return `The Symbiont runtime answered with status ${status}.`;
  }
}

function refused(text: string): SymbiontError {
  return { kind: 'refused', text };
}

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  ENOTFOUND: 'there is no such host',
};

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  if (error.name === 'AbortError') return 'Airlock stopped waiting';
  if (!(error.cause instanceof Error)) return error.message;
  const code = 'code' in error.cause ? String(error.cause.code) : '';
  return CAUSES[code] ?? (code || error.cause.message);
}

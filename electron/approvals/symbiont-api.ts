import { z } from 'zod';
import { SYMBIONT } from '../../shared/governed/limits.ts';
import { fail, ok, type Result } from '../../shared/result.ts';

/** Where a `symbi up` answers and what lets one in. */
export interface SymbiontEndpoint {
  /** As `http://127.0.0.1:8080`, without a path. */
  readonly baseUrl: string;
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

const heldActionsSchema = z.array(heldActionSchema).max(SYMBIONT.rowsMax);
const healthSchema = z.object({ version: z.string().max(64) });

/** `unknown`: the call may or may not have been carried out. */
export type SymbiontError = { readonly kind: 'refused' | 'unknown'; readonly text: string };
type Answer<T> = Promise<Result<T, SymbiontError>>;

/** The REST API of one `symbi up` (reference 4.2), as far as approvals need it. Never rejects. */
export class SymbiontApi {
  readonly #endpoint: SymbiontEndpoint;

  constructor(endpoint: SymbiontEndpoint) {
    this.#endpoint = endpoint;
  }

  /** A11: which version answers. */
  async version(): Answer<string> {
    const answer = await this.#call('GET', '/api/v1/health');
    if (!answer.ok) return answer;
    const health = healthSchema.safeParse(answer.value.json);
    if (answer.value.status === 200 && health.success) return ok(health.data.version);
    return fail(refused('This address does not answer as a Symbiont runtime.'));
  }

  /** A12: all of it is well formed and within the bounds, or none of it is used. */
  async held(): Answer<readonly HeldAction[]> {
    const answer = await this.#call('GET', '/api/v1/approvals');
    if (!answer.ok) return answer;
    const { status, json } = answer.value;
    if (status !== 200) return fail(refused(wordsFor(status, json)));
    const parsed = heldActionsSchema.safeParse(json);
    if (!parsed.success) return fail(refused('The list of held actions is not formed as it must be.'));
    if (new Set(parsed.data.map(({ id }) => id)).size < parsed.data.length) {
      return fail(refused('The list of held actions names one of them twice.'));
    }
    return ok(parsed.data);
  }

  /** A12: a time-out means that the outcome is unknown. */
  async decide(id: string, decision: 'approve' | 'deny', reason: string | null): Answer<null> {
    const body = reason === null ? {} : { reason };
    const answer = await this.#call('POST', `/api/v1/approvals/${id}/${decision}`, body);
    if (!answer.ok) return fail({ kind: 'unknown', text: `Outcome unknown: ${answer.error.text}` });
    const { status, json } = answer.value;
    if (status === 200) return ok(null);
    if (status >= 500) return fail({ kind: 'unknown', text: `Outcome unknown: ${wordsFor(status, json)}` });
    return fail(refused(wordsFor(status, json)));
  }

  async #call(method: string, path: string, body?: unknown): Answer<{ status: number; json: unknown }> {
    try {
      const response = await fetch(new URL(path, this.#endpoint.baseUrl), {
        method,
        headers: {
          Authorization: `Bearer ${this.#endpoint.token}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(SYMBIONT.callMs),
      });
      return ok({ status: response.status, json: parseJson(await boundedText(response)) });
    } catch (error) {
      return fail(refused(`The Symbiont runtime does not answer (${causeOf(error)}).`));
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

/** Undefined for what is no JSON, which is what an answer without a body is. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  return error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : error.message;
}

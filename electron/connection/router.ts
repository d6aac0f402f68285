import { randomBytes } from 'node:crypto';
import { type ErrorTag, type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import { describeIssues, problemsInWords } from '../../shared/protocol/issues.ts';
import type { HostMessage, RequestMessage } from '../../shared/protocol/messages.ts';
import { isVerb, type Params, type ResultOf, requests, type Verb } from '../../shared/protocol/requests.ts';
import { fail, type Result } from '../../shared/result.ts';
import type { ClientSessions } from './client-sessions.ts';

type Answer<T> = Result<T, TaggedError>;
/** `sessions` are those of the client that asks. */
export type Handler<V extends Verb> = (
  params: Params<V>,
  sessions: ClientSessions,
) => Answer<ResultOf<V>> | Promise<Answer<ResultOf<V>>>;
/** A handler for every verb of the contract: one that is missing does not compile. */
export type Handlers = { readonly [V in Verb]: Handler<V> };

/** Told of exceptions, which are faults of the host; the client gets the reference only. */
export type ReportFault = (reference: string, fault: unknown) => void;

/** Verbs whose bad parameters have a tag of their own. */
const INVALID_TAG: Partial<Record<Verb, ErrorTag>> = { 'settings.replace': 'settings-invalid' };

/** Validates each request against the contract, asks its handler, and turns whatever happens into one answer. */
export class Router {
  readonly #handlers: Handlers;
  readonly #report: ReportFault;

  constructor(handlers: Handlers, report: ReportFault) {
    this.#handlers = handlers;
    this.#report = report;
  }

  /** Never rejects. */
  async answer(request: RequestMessage, sessions: ClientSessions): Promise<HostMessage> {
    const answer = await this.#dispatch(request, sessions).catch((fault) => this.#internal(fault));
    const { id } = request;
    return answer.ok
      ? { type: 'reply', id, ok: true, result: answer.value }
      : { type: 'failure', id, ok: false, error: answer.error };
  }

  async #dispatch({ verb, params }: RequestMessage, sessions: ClientSessions): Promise<Answer<unknown>> {
    if (!isVerb(verb)) return fail(taggedError('unknown-verb', 'The host does not know this request.'));
    const parsed = requests[verb].params.safeParse(params ?? {});
    if (!parsed.success) return fail(invalid(verb, describeIssues(parsed.error.issues, params)));
    // The table ties each verb's handler to its parameters; the compiler cannot follow that through a union.
    const handler = this.#handlers[verb] as Handler<Verb>;
    return handler(parsed.data as Params<Verb>, sessions);
  }

  #internal(fault: unknown): Answer<never> {
    const reference = randomBytes(4).toString('hex');
    this.#report(reference, fault);
    const message = `Airlock failed by a fault of its own; its log has the details under ${reference}.`;
    return fail(taggedError('internal', message, { reference }));
  }
}

function invalid(verb: Verb, problems: ReturnType<typeof describeIssues>): TaggedError {
  const tag = INVALID_TAG[verb] ?? 'invalid-parameters';
  return taggedError(tag, `Not accepted: ${problemsInWords(problems)}.`, { problems });
}

import type { z } from 'zod';
import type { ApprovalRecord } from '../../shared/governed/approval.ts';
import {
  type ApprovalPageAnswer,
  type ApprovalPageParams,
  type ApprovalPageRefusal,
  type ApprovalPageResult,
  type ApprovalPageVerb,
  approvalPageRequests,
  type SettledRequest,
  type WaitingRequest,
} from '../../shared/governed/approval-page.ts';
import { APPROVAL } from '../../shared/governed/limits.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { ApprovalQueue, Approver, Waiting } from './approval-queue.ts';

type Theme = z.infer<(typeof approvalPageRequests)['list']['result']>['theme'];

export interface ApprovalPageApiOptions {
  readonly queue: ApprovalQueue;
  /** Who decides on this page. */
  readonly approver: Approver;
  readonly theme: () => Theme;
}

/** Settled requests that the page still mentions. */
const SETTLED_SHOWN = 5;

/**
 * Answers the approval page, whichever carrier brought its request; carriers let nobody else through. Everything is
 * validated here, and nothing of the page is believed but that a person saw and pressed what it says (DESIGN 6).
 */
export class ApprovalPageApi {
  readonly #options: ApprovalPageApiOptions;

  constructor(options: ApprovalPageApiOptions) {
    this.#options = options;
  }

  /** Never rejects. `signal` ends a `list` that waits. */
  async answer(
    verb: unknown,
    params: unknown,
    signal: AbortSignal,
  ): Promise<ApprovalPageAnswer<ApprovalPageVerb>> {
    if (!isVerb(verb)) return fail({ tag: 'malformed', text: 'There is no such request.' });
    const parsed = approvalPageRequests[verb].params.safeParse(params);
    if (!parsed.success) return fail({ tag: 'malformed', text: 'The request is not formed as it must be.' });
    switch (verb) {
      case 'list':
        return ok(await this.#list(parsed.data as ApprovalPageParams<'list'>, signal));
      case 'show':
        return this.#show(parsed.data as ApprovalPageParams<'show'>);
      case 'arm':
        return this.#arm(parsed.data as ApprovalPageParams<'arm'>);
      case 'approve':
        return this.#decided(
          await this.#options.queue.approve(
            parsed.data as ApprovalPageParams<'approve'>,
            this.#options.approver,
          ),
        );
      case 'deny': {
        const denial = parsed.data as ApprovalPageParams<'deny'>;
        return this.#decided(await this.#options.queue.deny(denial, denial.reason, this.#options.approver));
      }
    }
  }

  async #list(
    { after }: ApprovalPageParams<'list'>,
    signal: AbortSignal,
  ): Promise<ApprovalPageResult<'list'>> {
    const { queue, theme } = this.#options;
    if (after === queue.revision) await this.#change(signal);
    return {
      revision: queue.revision,
      waiting: queue.waiting().map((waiting) => this.#listed(waiting)),
      settled: queue.history().slice(0, SETTLED_SHOWN).map(settled),
      theme: theme(),
    };
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        listening.dispose();
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, APPROVAL.listWaitMs);
      const listening = this.#options.queue.onChange(finish);
      signal.addEventListener('abort', finish);
      if (signal.aborted) finish();
    });
  }

  #show({ id }: ApprovalPageParams<'show'>): Result<ApprovalPageResult<'show'>, ApprovalPageRefusal> {
    const waiting = this.#options.queue.find(id);
    if (waiting === null) return unknown;
    const { request, question, viewings } = waiting;
    return ok({
      ...this.#listed(waiting),
      payload: request.payload,
      viewing: viewings.open(),
      obstacle: question.obstacle,
    });
  }

  #arm({
    id,
    digest,
    viewing,
    ready,
  }: ApprovalPageParams<'arm'>): Result<ApprovalPageResult<'arm'>, ApprovalPageRefusal> {
    const waiting = this.#options.queue.find(id);
    if (waiting === null || waiting.request.digest !== digest) return unknown;
    if (!waiting.viewings.setReady(viewing, ready)) return unknown;
    return ok({ armMs: APPROVAL.armMs });
  }

  #listed(waiting: Waiting): WaitingRequest {
    const { payload: _, ...rest } = waiting.request;
    return { ...rest, leftMs: this.#options.queue.leftMs(waiting) };
  }

  #decided(decision: Result<ApprovalRecord, string>): Result<SettledRequest, ApprovalPageRefusal> {
    return decision.ok ? ok(settled(decision.value)) : fail({ tag: 'refused', text: decision.error });
  }
}

const unknown = fail({ tag: 'unknown' as const, text: 'This request is over, or is not what was shown.' });

function isVerb(verb: unknown): verb is ApprovalPageVerb {
  return typeof verb === 'string' && Object.hasOwn(approvalPageRequests, verb);
}

function settled({ request, outcome, reason }: ApprovalRecord): SettledRequest {
  return { id: request.id, title: request.title, outcome, reason };
}

import { normalize } from 'node:path';
import { z } from 'zod';
import {
  type ApprovalPayload,
  approvalOutcomeSchema,
  approvalPayloadSchema,
  approvalRecordSchema,
} from '../../shared/governed/approval.ts';
import type { AuditEntry } from '../../shared/governed/audit.ts';
import type { Receipt } from '../../shared/governed/receipt.ts';
import { sha256 } from '../publication/sha256.ts';

const REQUESTED = 'approval.requested';
const OUTCOMES = new Set<string>(approvalOutcomeSchema.options.map((outcome) => `approval.${outcome}`));

const about = z.object({ approvalId: z.string(), digest: z.string() });
const requestSchema = about.extend({ payload: z.string() });
const outcomeSchema = about.extend({ approver: approvalRecordSchema.shape.approver });

type Terms = Pick<ApprovalPayload, 'kind' | 'tool' | 'destination' | 'staged' | 'session_finalizes'> & {
  readonly create: readonly string[];
};

/** One request as the log tells it so far. */
interface Approval {
  readonly sessionId: string | null;
  readonly digest: string;
  /** What was asked, as far as receipts speak of it; null for what publishes nothing. */
  readonly terms: Terms | null;
  state: 'open' | 'used' | z.infer<typeof approvalOutcomeSchema>;
  approver: Receipt['approver'];
}

/** What a publication rests on: the decision, or in words why there is none. */
export type Basis = { readonly approval: Approval } | { readonly problem: string };

/**
 * The decisions of the log in its order, for the receipts that name them: a receipt needs its very approval, by the same
 * person, for the same session, place and content, once (A4).
 */
export class ApprovalCheck {
  readonly #approvals = new Map<string, Approval>();

  take({ event, data, sessionId }: AuditEntry): void {
    if (event === REQUESTED) this.#requested(data, sessionId);
    else if (OUTCOMES.has(event)) this.#decided(event, data, sessionId);
  }

  /** When a publication's intent is recorded: what it rests on by then. Takes the one use. */
  use(approvalId: string | null): Basis {
    if (approvalId === null)
      return { problem: 'It names no approval, and nothing leaves a sandbox without one.' };
    const approval = this.#approvals.get(approvalId);
    const is = `The approval ${approvalId}`;
    if (approval === undefined) return { problem: `${is} is not in the log before it.` };
    if (approval.state === 'open') return { problem: `${is} was asked for and not given before it.` };
    if (approval.state === 'used') return { problem: `${is} was used for another publication before it.` };
    if (approval.state !== 'approved') return { problem: `${is} was not given: it was ${approval.state}.` };
    const basis = { approval: { ...approval } };
    approval.state = 'used';
    return basis;
  }

  #requested(data: unknown, sessionId: string | null): void {
    const request = requestSchema.safeParse(data);
    if (!request.success || this.#approvals.has(request.data.approvalId)) return;
    const { approvalId, digest, payload } = request.data;
    // A payload of another digest is not what anyone decided on.
    if (digest !== `sha256:${sha256(Buffer.from(payload))}`) return;
    this.#approvals.set(approvalId, {
      sessionId,
      digest,
      terms: termsOf(payload),
      state: 'open',
      approver: null,
    });
  }

  /** An approval that came too late is followed by what became of it instead; nothing is approved after that. */
  #decided(event: string, data: unknown, sessionId: string | null): void {
    const outcome = outcomeSchema.safeParse(data);
    const approval = outcome.success ? this.#approvals.get(outcome.data.approvalId) : undefined;
    if (!outcome.success || approval === undefined) return;
    const { digest, approver } = outcome.data;
    if (digest !== approval.digest || sessionId !== approval.sessionId) return;
    const became = approvalOutcomeSchema.parse(event.slice('approval.'.length));
    if (approval.state !== 'open' && (approval.state !== 'approved' || became === 'approved')) return;
    approval.state = became;
    approval.approver = approver;
  }
}

/** Why a receipt does not follow from what it rests on, in a sentence; null when it does. */
export function whyNotApproved(receipt: Receipt, basis: Basis): string | null {
  if ('problem' in basis) return basis.problem;
  const { approval } = basis;
  const { terms } = approval;
  const is = `The approval ${receipt.approvalId}`;
  if (approval.sessionId !== receipt.sessionId) return `${is} was given to another session.`;
  if (!isSameApprover(approval.approver, receipt.approver)) return `${is} was given by another approver.`;
  if (terms === null) return `${is} was given for something that publishes nothing.`;
  if (terms.destination === null || normalize(terms.destination) !== receipt.destination)
    return `${is} was given for another destination.`;
  if (!terms.create.includes(receipt.path)) return `${is} was given for another file.`;
  return contentProblem(terms, receipt, is);
}

/** A command is approved before its file is sealed, a publication after it. */
function contentProblem(
  { kind, tool, staged, session_finalizes }: Terms,
  receipt: Receipt,
  is: string,
): string | null {
  if (kind === 'command')
    return tool === receipt.command && session_finalizes ? null : `${is} was given for another command.`;
  if (tool !== null && tool !== receipt.command) return `${is} was given for another command.`;
  return staged?.bytes === receipt.bytes && staged.sha256 === receipt.sha256
    ? null
    : `${is} was given for another content.`;
}

function termsOf(payload: string): Terms | null {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    return null;
  }
  const parsed = approvalPayloadSchema.safeParse(value);
  if (!parsed.success) return null;
  const { kind, tool, destination, staged, session_finalizes, files } = parsed.data;
  const grants = z.object({ create: z.array(z.string()) }).safeParse(files);
  return grants.success
    ? { kind, tool, destination, staged, session_finalizes, create: grants.data.create }
    : null;
}

function isSameApprover(a: Receipt['approver'], b: Receipt['approver']): boolean {
  return a !== null && b !== null && a.surface === b.surface && a.id === b.id && a.display === b.display;
}

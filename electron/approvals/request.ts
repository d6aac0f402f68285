import { createHash, randomUUID } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ApprovalRequest, ApprovalSource } from '../../shared/governed/approval.ts';
import { APPROVAL } from '../../shared/governed/limits.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { visibleLine } from '../../shared/terminal/visible-text.ts';

/** What is asked, before it is bound. `content` is JSON: the whole of what the decision is about. */
export interface Question {
  readonly source: ApprovalSource;
  readonly kind: ApprovalRequest['kind'];
  readonly sessionId: string;
  readonly title: string;
  readonly content: unknown;
  /** Milliseconds that a person has (A5). */
  readonly waitMs: number;
  /** Why it cannot be approved here; null when it can. */
  readonly obstacle: string | null;
}

/**
 * Binds a question: canonical JSON (RFC 8785) and its SHA-256, taken once, so that what is shown, what is decided on and
 * what is recorded are the same text (A3). `now` is of the wall clock, for the record alone. Fails with words when it cannot
 * be asked.
 */
export function bindRequest(question: Question, now: number): Result<ApprovalRequest, string> {
  const { waitMs } = question;
  if (!(waitMs > 0 && waitMs <= APPROVAL.waitMaxMs)) {
    return fail(`approval waiting time must be above 0 and at most ${APPROVAL.waitMaxMs} ms`);
  }
  const payload = canonicalJson(question.content);
  if (payload === null) return fail('approval request cannot be written as canonical JSON');
  if (Buffer.byteLength(payload) > APPROVAL.payloadMaxBytes) {
    return fail(`approval request is larger than ${APPROVAL.payloadMaxBytes} bytes`);
  }
  return ok({
    id: randomUUID(),
    source: question.source,
    kind: question.kind,
    title: cleanTitle(question.title),
    sessionId: question.sessionId,
    digest: digestOf(payload),
    payload,
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(now + waitMs).toISOString(),
  });
}

export function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** Null for what is no JSON: cycles, lone surrogates, numbers without a value, nothing at all. */
export function canonicalJson(value: unknown): string | null {
  try {
    return canonicalize(value) ?? null;
  } catch {
    return null;
  }
}

/** One line for lists and notifications, with nothing invisible in it (B24). */
export function cleanTitle(title: string): string {
  return visibleLine(title, TITLE_MAX_CHARS);
}

/** Of `approvalRequestSchema`. */
const TITLE_MAX_CHARS = 200;

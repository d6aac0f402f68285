import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { approvalPayloadSchema, approvalQueueSchema } from '../../shared/governed/approval.ts';
import { APPROVAL, DECISION_LIFETIME_MS } from '../../shared/governed/limits.ts';
import type { Decision } from '../governed/ports.ts';
import { ApprovalQueue, type Approver, type Waiting } from './approval-queue.ts';
import { canonicalJson, digestOf } from './request.ts';
import { MemoryAuditLog } from './testing/memory-audit-log.ts';
import { aPayload, aQuestion } from './testing/questions.ts';

const PERSON: Approver = { surface: 'desktop', id: '1000', display: 'someone' };
const never = new AbortController().signal;

let audit: MemoryAuditLog;
let queue: ApprovalQueue;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  audit = new MemoryAuditLog();
  queue = new ApprovalQueue({ audit });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Asks, and resolves when the request waits. */
async function ask(
  question = aQuestion(),
  signal = never,
): Promise<{ decision: Promise<Decision>; waiting: Waiting }> {
  const changed = new Promise<void>((resolve) => {
    const listening = queue.onChange(() => {
      listening.dispose();
      resolve();
    });
  });
  const decision = queue.ask(question, signal);
  await changed;
  return { decision, waiting: queue.waiting().at(-1) as Waiting };
}

const bindingOf = ({ request: { id, digest } }: Waiting) => ({ id, digest });

/** What the page says of a request that was looked at for long enough. */
function read(waiting: Waiting): { id: string; digest: string; viewing: string } {
  const viewing = waiting.viewings.open();
  waiting.viewings.setReady(viewing, true);
  vi.advanceTimersByTime(APPROVAL.armMs);
  return { ...bindingOf(waiting), viewing };
}

describe('what is asked', () => {
  it('A3 binds canonical JSON and its SHA-256, whatever order the fields came in', async () => {
    const { waiting } = await ask();
    const { payload, digest } = waiting.request;
    expect(payload).toBe(canonicalJson(aPayload()));
    expect(digest).toBe(digestOf(payload));
    expect(approvalPayloadSchema.parse(JSON.parse(payload))).toEqual(aPayload());
    const shuffled = Object.fromEntries(Object.entries(aPayload()).reverse());
    expect(canonicalJson(shuffled)).toBe(payload);
  });

  it('A3 a payload that changes afterwards changes nothing', async () => {
    const payload = aPayload();
    const { waiting } = await ask({ ...aQuestion(), payload });
    payload.command = 'rm -rf /';
    expect(waiting.request.payload).not.toContain('rm -rf');
  });

  it('B24 the title of lists is one line with nothing invisible in it', async () => {
    const { waiting } = await ask({ ...aQuestion(), title: `a\u202Egpj.exe\u200b\n${'x'.repeat(900)}` });
    expect(waiting.request.title).toMatch(/^a<U\+202E>gpj\.exe<U\+200B> x+…$/);
    expect(waiting.request.title.length).toBeLessThanOrEqual(200);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, APPROVAL.waitMaxMs + 1])(
    'A5 a waiting time of %d denies at once',
    async (waitMs) => {
      expect(await queue.ask(aQuestion({}, waitMs), never)).toMatchObject({
        outcome: 'denied',
        text: expect.stringContaining('waiting time'),
      });
      expect(queue.waiting()).toEqual([]);
      expect(audit.events).toEqual(['approval.refused']);
    },
  );

  it('what cannot be shown whole is not asked', async () => {
    const large = { arguments: { text: 'x'.repeat(APPROVAL.payloadMaxBytes) } };
    expect(await queue.ask(aQuestion(large), never)).toMatchObject({ outcome: 'denied' });
    expect(await queue.ask(aQuestion({ command: 'a\ud800' }), never)).toMatchObject({ outcome: 'denied' });
  });

  it(`${APPROVAL.pendingMax} can wait; one more is denied and the others stay`, async () => {
    for (let n = 0; n < APPROVAL.pendingMax; n += 1) await ask();
    expect(await queue.ask(aQuestion(), never)).toMatchObject({
      outcome: 'denied',
      text: `${APPROVAL.pendingMax} approvals wait already`,
    });
    expect(queue.waiting()).toHaveLength(APPROVAL.pendingMax);
  });

  it('the main page gets no payload, and what it gets fits the contract', async () => {
    await ask(aQuestion({ command: 'a-secret-command' }));
    const view = approvalQueueSchema.strict().parse(queue.view());
    expect(JSON.stringify(view)).not.toContain('a-secret-command');
    expect(view.pending).toHaveLength(1);
  });

  it('every change is told', async () => {
    const told = vi.fn();
    queue.onChange(told);
    const { waiting } = await ask();
    expect(told).toHaveBeenCalledTimes(1);
    await queue.deny(bindingOf(waiting), '', PERSON);
    expect(told).toHaveBeenCalledTimes(2);
  });
});

describe('a decision', () => {
  it('A10 is recorded before it takes effect, with who and what', async () => {
    const { decision, waiting } = await ask();
    const binding = read(waiting);
    const letGo = audit.hold();
    const told = vi.fn();
    void decision.then(told);
    const approved = queue.approve(binding, PERSON);
    await Promise.resolve();
    expect(told).not.toHaveBeenCalled();
    letGo();
    expect(await approved).toMatchObject({ ok: true, value: { outcome: 'approved', approver: PERSON } });
    expect(audit.records.at(-1)).toMatchObject({
      event: 'approval.approved',
      sessionId: 'session-1',
      data: { approvalId: binding.id, digest: binding.digest, approver: PERSON },
    });
    expect(await decision).toMatchObject({ outcome: 'approved', approvalId: binding.id, approver: PERSON });
  });

  it('A6 is good for 30 s, or for the waiting time when that is shorter', async () => {
    for (const [waitMs, goodForMs] of [
      [APPROVAL.waitMs, DECISION_LIFETIME_MS],
      [5_000, 5_000],
    ] as const) {
      const { decision, waiting } = await ask(aQuestion({}, waitMs));
      await queue.approve(read(waiting), PERSON);
      expect(await decision).toMatchObject({ goodUntil: performance.now() + goodForMs });
    }
  });

  it.each([
    ['', 'denied by operator'],
    ['  ', 'denied by operator'],
    ['wrong month', 'wrong month'],
  ])('A8 denied with reason %j reads %j', async (reason, text) => {
    const { decision, waiting } = await ask();
    expect(await queue.deny(bindingOf(waiting), reason, PERSON)).toMatchObject({ ok: true });
    expect(await decision).toEqual({ outcome: 'denied', text });
    expect(audit.events).toEqual(['approval.requested', 'approval.denied']);
  });

  it('A4 a forged or old digest decides nothing, either way', async () => {
    const { waiting } = await ask();
    const binding = read(waiting);
    const forged = { ...binding, digest: digestOf(`${waiting.request.payload} `) };
    for (const attempt of [queue.approve(forged, PERSON), queue.deny(forged, '', PERSON)]) {
      expect(await attempt).toEqual({
        ok: false,
        error: 'The content of this request is not what was shown.',
      });
    }
    expect(queue.waiting()).toHaveLength(1);
    expect(audit.events).toEqual(['approval.requested']);
  });

  it('A4 is good once: a replay is refused in words', async () => {
    const { waiting } = await ask();
    const binding = read(waiting);
    const [first, second] = await Promise.all([
      queue.approve(binding, PERSON),
      queue.approve(binding, PERSON),
    ]);
    expect(first.ok).toBe(true);
    expect(second).toEqual({ ok: false, error: 'This request is being decided already.' });
    expect(await queue.approve(binding, PERSON)).toEqual({ ok: false, error: 'This request was approved.' });
    expect(await queue.deny(binding, '', PERSON)).toEqual({ ok: false, error: 'This request was approved.' });
    expect(audit.events.filter((event) => event === 'approval.approved')).toHaveLength(1);
  });

  it('A4 of one request does not decide another with the same content', async () => {
    const first = await ask();
    const second = await ask();
    const binding = read(first.waiting);
    expect(second.waiting.request.digest).toBe(binding.digest);
    const crossed = { ...binding, id: second.waiting.request.id };
    expect(await queue.approve(crossed, PERSON)).toMatchObject({ ok: false });
    expect(queue.waiting()).toHaveLength(2);
  });

  it('what nobody asked cannot be decided', async () => {
    const binding = { id: '5f0c2d0e-1111-4222-8333-444455556666', digest: 'sha256:x', viewing: 'x' };
    expect(await queue.approve(binding, PERSON)).toEqual({ ok: false, error: 'There is no such request.' });
  });

  it('that cannot be recorded approves nothing', async () => {
    const { decision, waiting } = await ask();
    audit.failing.add('approval.approved');
    const answer = await queue.approve(read(waiting), PERSON);
    expect(answer).toMatchObject({ ok: true, value: { outcome: 'denied', approver: null } });
    expect(await decision).toEqual({
      outcome: 'denied',
      text: 'the decision could not be recorded, so nothing was approved',
    });
  });

  it('a request that cannot be recorded is denied, and nobody is asked', async () => {
    audit.failing.add('approval.requested');
    expect(await queue.ask(aQuestion(), never)).toMatchObject({ outcome: 'denied' });
    expect(queue.waiting()).toEqual([]);
  });

  it('a denial that cannot be recorded still denies', async () => {
    const { decision, waiting } = await ask();
    audit.failing.add('approval.denied');
    await queue.deny(bindingOf(waiting), '', PERSON);
    expect((await decision).outcome).toBe('denied');
  });
});

describe('arming', () => {
  it('the host refuses what was never shown, never read, or too early', async () => {
    const { waiting } = await ask();
    const binding = bindingOf(waiting);
    const attempt = async (viewing: string) => {
      const answer = await queue.approve({ ...binding, viewing }, PERSON);
      return answer.ok ? 'approved' : answer.error;
    };
    expect(await attempt('made-up')).toBe('This request was not shown to whoever approved it.');
    const viewing = waiting.viewings.open();
    vi.advanceTimersByTime(10 * APPROVAL.armMs);
    expect(await attempt(viewing)).toBe('The request was not visible and read to its end.');
    waiting.viewings.setReady(viewing, true);
    expect(await attempt(viewing)).toBe('The request was not visible for long enough yet.');
    vi.advanceTimersByTime(APPROVAL.armMs - 1);
    expect(await attempt(viewing)).toBe('The request was not visible for long enough yet.');
    vi.advanceTimersByTime(1);
    expect(await attempt(viewing)).toBe('approved');
  });

  it('starts again when the request was covered meanwhile, and is not refreshed by saying it twice', async () => {
    const { waiting } = await ask();
    const viewing = waiting.viewings.open();
    const approve = () => queue.approve({ ...bindingOf(waiting), viewing }, PERSON);
    waiting.viewings.setReady(viewing, true);
    vi.advanceTimersByTime(APPROVAL.armMs);
    waiting.viewings.setReady(viewing, false);
    waiting.viewings.setReady(viewing, true);
    expect((await approve()).ok).toBe(false);
    vi.advanceTimersByTime(APPROVAL.armMs / 2);
    waiting.viewings.setReady(viewing, true);
    vi.advanceTimersByTime(APPROVAL.armMs / 2);
    expect((await approve()).ok).toBe(true);
  });

  it('one page does not arm another, and of too many showings the oldest is forgotten', async () => {
    const { waiting } = await ask();
    const shown = waiting.viewings.open();
    const other = waiting.viewings.open();
    waiting.viewings.setReady(shown, true);
    vi.advanceTimersByTime(APPROVAL.armMs);
    expect((await queue.approve({ ...bindingOf(waiting), viewing: other }, PERSON)).ok).toBe(false);
    for (let n = 0; n < APPROVAL.viewingsMax; n += 1) waiting.viewings.open();
    expect((await queue.approve({ ...bindingOf(waiting), viewing: shown }, PERSON)).ok).toBe(false);
  });

  it('denying needs none of it', async () => {
    const { waiting } = await ask();
    expect((await queue.deny(bindingOf(waiting), '', PERSON)).ok).toBe(true);
  });
});

describe('the deadline', () => {
  it('A5 A8 expires by itself, recorded, as "timeout"', async () => {
    const { decision, waiting } = await ask();
    await vi.advanceTimersByTimeAsync(APPROVAL.waitMs);
    expect(await decision).toEqual({ outcome: 'expired', text: 'timeout' });
    expect(audit.events).toEqual(['approval.requested', 'approval.expired']);
    expect(await queue.approve({ ...bindingOf(waiting), viewing: 'x' }, PERSON)).toEqual({
      ok: false,
      error: 'This request has expired.',
    });
  });

  it('A9 wins over a decision at the same moment, before its timer has run', async () => {
    const { waiting } = await ask();
    const binding = read(waiting);
    vi.spyOn(performance, 'now').mockReturnValue(waiting.deadline);
    expect(await queue.approve(binding, PERSON)).toEqual({ ok: false, error: 'This request has expired.' });
    vi.restoreAllMocks();
  });

  it('A9 wins over a decision that is still being recorded', async () => {
    const { decision, waiting } = await ask();
    const binding = read(waiting);
    const letGo = audit.hold();
    const approved = queue.approve(binding, PERSON);
    await vi.advanceTimersByTimeAsync(APPROVAL.waitMs);
    letGo();
    expect(await approved).toMatchObject({ ok: true, value: { outcome: 'expired' } });
    expect((await decision).outcome).toBe('expired');
    expect(audit.events.at(-1)).toBe('approval.expired');
  });

  it('A9 wins over one whose record took past it, before its timer has run', async () => {
    const { decision, waiting } = await ask();
    const letGo = audit.hold();
    const approved = queue.approve(read(waiting), PERSON);
    vi.spyOn(performance, 'now').mockReturnValue(waiting.deadline);
    letGo();
    expect(await approved).toMatchObject({ ok: true, value: { outcome: 'expired' } });
    expect((await decision).outcome).toBe('expired');
    vi.restoreAllMocks();
  });

  it.each([-3_600_000, 86_400_000])('B27 a wall clock that jumps by %d ms changes nothing', async (jump) => {
    const { decision, waiting } = await ask();
    const binding = read(waiting);
    vi.setSystemTime(Date.now() + jump);
    await vi.advanceTimersByTimeAsync(APPROVAL.waitMs - APPROVAL.armMs - 1);
    expect(queue.waiting()).toHaveLength(1);
    expect((await queue.approve(binding, PERSON)).ok).toBe(true);
    expect((await decision).outcome).toBe('approved');
  });
});

describe('taking a question away', () => {
  it('A9 cancelling removes it at once and is recorded', async () => {
    const caller = new AbortController();
    const { decision, waiting } = await ask(aQuestion(), caller.signal);
    caller.abort();
    expect(queue.waiting()).toEqual([]);
    expect(await decision).toEqual({ outcome: 'cancelled', text: 'cancelled' });
    expect(audit.events).toEqual(['approval.requested', 'approval.cancelled']);
    expect(await queue.approve({ ...bindingOf(waiting), viewing: 'x' }, PERSON)).toEqual({
      ok: false,
      error: 'This request was cancelled.',
    });
  });

  it('A9 wins over a decision that is still being recorded', async () => {
    const caller = new AbortController();
    const { decision, waiting } = await ask(aQuestion(), caller.signal);
    const letGo = audit.hold();
    const approved = queue.approve(read(waiting), PERSON);
    caller.abort();
    letGo();
    expect(await approved).toMatchObject({ value: { outcome: 'cancelled' } });
    expect((await decision).outcome).toBe('cancelled');
  });

  it('a caller that is gone before is not asked for', async () => {
    expect(await queue.ask(aQuestion(), AbortSignal.abort())).toMatchObject({ outcome: 'cancelled' });
    expect(audit.events).toEqual([]);
  });

  it('A7 the end of the host cancels all, and nothing is asked afterwards', async () => {
    const { decision } = await ask();
    await queue.close();
    expect(audit.events).toEqual(['approval.requested', 'approval.cancelled']);
    expect(await decision).toEqual({ outcome: 'cancelled', text: 'Airlock ended' });
    expect(await queue.ask(aQuestion(), never)).toEqual({
      outcome: 'denied',
      text: 'required approval relay is unavailable',
    });
  });
});

it(`the history keeps the last ${APPROVAL.historyMax}, newest first`, async () => {
  for (let n = 0; n < APPROVAL.historyMax + 2; n += 1) {
    const { waiting } = await ask({ ...aQuestion(), title: `request ${n}` });
    await queue.deny(bindingOf(waiting), '', PERSON);
  }
  expect(queue.history()).toHaveLength(APPROVAL.historyMax);
  expect(queue.history()[0]?.request.title).toBe(`request ${APPROVAL.historyMax + 1}`);
  expect(queue.view().recent).toHaveLength(APPROVAL.recentMax);
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { APPROVAL, SYMBIONT } from '../../shared/governed/limits.ts';
import { eventually } from '../connection/testing/eventually.ts';
import { FakeClock } from '../governed/controller/testing/fake-clock.ts';
import { ApprovalQueue, type Approver, type Waiting } from './approval-queue.ts';
import { SymbiontApprovals } from './symbiont.ts';
import { SymbiontApi } from './symbiont-api.ts';
import { MemoryAuditLog } from './testing/memory-audit-log.ts';
import { aQuestion } from './testing/questions.ts';
import { SymbiontFake } from './testing/symbiont-fake.ts';

const PERSON: Approver = { surface: 'desktop', id: '1000', display: 'someone' };

/** A timer may be some milliseconds early. */
const EARLY_MS = 5;
const PACING = { pollMs: 20, failingPollMaxMs: 80, limitedPollMs: 100 };

let fake: SymbiontFake;
let audit: MemoryAuditLog;
let queue: ApprovalQueue;
let clock: FakeClock;
let symbiont: SymbiontApprovals;

beforeEach(async () => {
  fake = await SymbiontFake.start();
  audit = new MemoryAuditLog();
  clock = new FakeClock();
  queue = new ApprovalQueue({ audit, clock });
});

afterEach(async () => {
  await symbiont.close();
  await queue.close();
  await fake.close();
});

function follow(token = fake.token): void {
  const profile = { id: 'ops', name: 'Operations', address: fake.address };
  symbiont = new SymbiontApprovals({ profile, token, queue, pacing: PACING });
  symbiont.start();
}

async function waiting(count = 1): Promise<Waiting> {
  await eventually(() => expect(queue.waiting()).toHaveLength(count));
  return queue.waiting().at(-1) as Waiting;
}

/** A person reads it for long enough and approves. */
function approve({ request: { id, digest }, viewings }: Waiting) {
  const viewing = viewings.open();
  viewings.setReady(viewing, true);
  clock.jump(APPROVAL.armMs);
  return queue.approve({ id, digest, viewing }, PERSON);
}

/** Milliseconds between those two looks at the list, counted from the first, as the runtime has them. */
async function between(earlier: number, later: number): Promise<number> {
  const times = () => fake.requests.filter(({ line }) => line.endsWith('/approvals')).map(({ at }) => at);
  await eventually(() => expect(times().length).toBeGreaterThan(later));
  return (times()[later] ?? Number.NaN) - (times()[earlier] ?? Number.NaN);
}

/** Looks that many times more, begun from now on. */
async function looks(times = 2): Promise<void> {
  const before = fake.listed;
  await eventually(() => expect(fake.listed).toBeGreaterThan(before + times));
}

async function failing(): Promise<string> {
  await eventually(() => expect(symbiont.status.kind).toBe('failing'));
  return symbiont.status.kind === 'failing' ? symbiont.status.text : '';
}

describe('what is held', () => {
  it('A11 is asked through the queue, whole, under an id of its own', async () => {
    const action = fake.hold();
    follow();
    const { request, question } = await waiting();
    expect(JSON.parse(request.payload)).toEqual({
      runtime: { profile: 'ops', name: 'Operations', address: fake.address, version: '1.21.1' },
      action,
    });
    expect(request).toMatchObject({ source: 'symbiont', title: action.summary, sessionId: 'symbiont:ops' });
    expect(question.obstacle).toBeNull();
    expect(symbiont.status).toEqual({ kind: 'following', version: '1.21.1', held: 1, notOffered: 0 });
  });

  it('A11 that vanishes there is taken away here, and asked once only', async () => {
    fake.hold();
    follow();
    await waiting();
    await looks();
    expect(queue.waiting()).toHaveLength(1);
    fake.actions = [];
    await eventually(() => expect(queue.waiting()).toEqual([]));
    expect(queue.history()[0]?.outcome).toBe('cancelled');
  });

  it('A12 that changes under its id is taken away and asked anew', async () => {
    const action = fake.hold();
    follow();
    const first = await waiting();
    action.summary = 'tool_call report_writer.erase';
    await eventually(() => expect(queue.waiting()[0]?.request.title).toBe(action.summary));
    expect(queue.waiting()).toHaveLength(1);
    expect(queue.find(first.request.id)).toBeNull();
  });

  it('A12 that is larger than can be read is shown and not offered', async () => {
    fake.hold({ context_snapshot: { text: 'é'.repeat(SYMBIONT.shownMaxBytes / 6) } });
    follow();
    const held = await waiting();
    expect(held.question.obstacle).toContain('64 KiB');
    expect(await approve(held)).toEqual({ ok: false, error: held.question.obstacle });
    expect(fake.decided).toEqual([]);
    expect((await queue.deny(held.request, '', PERSON)).ok).toBe(true);
    expect(fake.decided).toMatchObject([{ decision: 'deny' }]);
  });

  it.each(['1.19.0', '1.20.4', '0.9.0', 'unknown'])(
    'A11 of version %s cannot be approved here',
    async (version) => {
      fake.version = version;
      fake.hold();
      follow();
      expect((await waiting()).question.obstacle).toContain(`Symbiont ${version}`);
    },
  );

  it.each([
    ['no array', { approvals: [] }],
    ['an id that is not 16 hex digits', [{ id: '9F2C4E7A10B3D856' }]],
    ['an unknown field', [{ extra: 1 }]],
    ['a status that is never listed', [{ status: 'approved' }]],
    ['one of them twice', [{}, { id: '0000000000000001' }]],
    ['too many rows', Array.from({ length: SYMBIONT.rowsMax + 1 }, () => ({}))],
  ])('A12 %s refuses the whole list', async (_what, list) => {
    fake.list = Array.isArray(list)
      ? list.map((changes, n) => {
          fake.actions.length = n;
          return fake.hold(changes);
        })
      : list;
    follow();
    expect(await failing()).toMatch(/^The list of held actions /);
    expect(queue.waiting()).toEqual([]);
  });

  it('A11 a wrong token is said', async () => {
    follow('wrong');
    expect(await failing()).toContain('does not accept the token');
  });

  it('A11 a runtime without a queue (404 without a body) is said', async () => {
    fake.detached = true;
    follow();
    expect(await failing()).toContain('has no approval queue');
  });

  it('what waits is taken away while the runtime does not answer', async () => {
    fake.hold();
    follow();
    await waiting();
    fake.list = 'no list';
    await failing();
    expect(queue.waiting()).toEqual([]);
    fake.list = undefined;
    await waiting();
  });
});

describe('a decision', () => {
  it('A12 is sent after the same was fetched again, and recorded before and after', async () => {
    const { id } = fake.hold();
    follow();
    expect(await approve(await waiting())).toMatchObject({
      ok: true,
      value: { outcome: 'approved', reason: null },
    });
    expect(fake.decided).toEqual([{ id, decision: 'approve', body: '{}' }]);
    expect(audit.events).toEqual(['approval.requested', 'approval.approved', 'approval.delivered']);
  });

  it('a denial carries its reason', async () => {
    fake.hold();
    follow();
    const { request } = await waiting();
    await queue.deny(request, 'not this month', PERSON);
    expect(fake.decided).toMatchObject([{ decision: 'deny', body: '{"reason":"not this month"}' }]);
  });

  it('A12 what changed a moment ago is not approved', async () => {
    const action = fake.hold();
    follow();
    const held = await waiting();
    action.context_snapshot = { iteration: 4 };
    const answer = await approve(held);
    // Whichever comes first, the poll or the decision: nothing is approved.
    if (answer.ok) expect(answer.value.outcome).toBe('cancelled');
    expect(fake.decided).toEqual([]);
  });

  it('A11 a key that may not decide approves nothing, and is said', async () => {
    fake.hold();
    fake.agentScoped = true;
    follow();
    const answer = await approve(await waiting());
    expect(answer).toMatchObject({ ok: true, value: { outcome: 'cancelled', approver: PERSON } });
    expect(answer.ok && answer.value.reason).toContain('ADMIN_REQUIRED');
  });

  it.each([
    [404, 'no longer holds'],
    [409, 'decided elsewhere'],
    [410, 'has expired at the Symbiont runtime'],
  ] as const)('A11 an answer of %i approves nothing, and is said', async (status, words) => {
    fake.hold();
    fake.refusesWith = status;
    follow();
    const answer = await approve(await waiting());
    expect(answer).toMatchObject({ ok: true, value: { outcome: 'cancelled', approver: PERSON } });
    expect(answer.ok && answer.value.reason).toContain(words);
  });

  it('A12 is not sent when another version answers by then, and is asked anew under it', async () => {
    fake.hold();
    follow();
    const held = await waiting();
    fake.version = '1.22.0';
    const answer = await approve(held);
    expect(answer.ok && answer.value).toMatchObject({
      outcome: 'cancelled',
      reason: 'Not sent: Symbiont 1.22.0 answers there now.',
    });
    expect(fake.decided).toEqual([]);
    await askedAnew();
  });

  it('A12 is asked anew under another version also where a list was on its way when that was seen', async () => {
    fake.hold();
    follow();
    const held = await waiting();
    const list = Promise.withResolvers<void>();
    fake.answersLists = list.promise;
    const before = fake.listed;
    await eventually(() => expect(fake.listed).toBeGreaterThan(before));
    fake.version = '1.22.0';
    expect((await approve(held)).ok).toBe(true);
    list.resolve();
    await askedAnew();
    expect(fake.decided).toEqual([]);
  });

  function askedAnew(): Promise<void> {
    return eventually(() => expect(queue.waiting()[0]?.request.payload ?? '').toContain('1.22.0'));
  }

  it.each(['approve', 'deny'] as const)(
    'A12 without an answer to %s its outcome is unknown: neither approved nor denied',
    async (decision) => {
      fake.hold();
      fake.cutsDecisions = 'after';
      follow();
      const held = await waiting();
      const answer = await (decision === 'approve' ? approve(held) : queue.deny(held.request, '', PERSON));
      expect(answer).toMatchObject({ ok: true, value: { outcome: 'unknown', approver: PERSON } });
      expect(answer.ok && answer.value.reason).toMatch(
        /^The (approval|denial) was sent\. The Symbiont runtime does not/,
      );
      expect(queue.view().recent[0]?.outcome).toBe('unknown');
      expect(audit.records.at(-1)).toMatchObject({ data: { delivery: { kind: 'unknown' } } });
    },
  );

  it('A12 whose outcome is unknown is asked anew while it is still held', async () => {
    fake.hold();
    fake.cutsDecisions = 'before';
    follow();
    const first = await waiting();
    expect(await approve(first)).toMatchObject({ value: { outcome: 'unknown' } });
    fake.cutsDecisions = null;
    const second = await waiting();
    expect(second.request.id).not.toBe(first.request.id);
    expect(await approve(second)).toMatchObject({ value: { outcome: 'approved' } });
  });

  it('A12 that has taken effect there, and so left the list before it was answered, is no cancelled one', async () => {
    fake.hold();
    const { promise, resolve } = Promise.withResolvers<void>();
    fake.answersDecisions = promise;
    follow();
    const answer = approve(await waiting());
    await eventually(() => expect(fake.decided).toHaveLength(1));
    await looks();
    resolve();
    expect(await answer).toMatchObject({ value: { outcome: 'approved', approver: PERSON } });
  });

  it('A12 that is on its way when the host ends has an unknown outcome, in the log before it is closed', async () => {
    fake.hold();
    fake.answersDecisions = new Promise(() => {});
    follow();
    const answer = approve(await waiting());
    await eventually(() => expect(fake.decided).toHaveLength(1));
    await symbiont.close();
    await queue.close();
    expect(audit.records.at(-1)).toMatchObject({ data: { delivery: { kind: 'unknown' } } });
    expect(await answer).toMatchObject({ value: { outcome: 'unknown' } });
  });

  it('is delivered to its end although the runtime is followed no longer', async () => {
    fake.hold();
    const { promise, resolve } = Promise.withResolvers<void>();
    fake.answersDecisions = promise;
    follow();
    const answer = approve(await waiting());
    await eventually(() => expect(fake.decided).toHaveLength(1));
    symbiont.dispose();
    resolve();
    expect(await answer).toMatchObject({ value: { outcome: 'approved' } });
  });
});

describe('a runtime that is not to be trusted', () => {
  it('gets no token before it answers as one', async () => {
    fake.version = 'a\u202e<b>';
    follow();
    expect(await failing()).toBe('This address does not answer as a Symbiont runtime.');
    expect(fake.requests.map(({ authorization }) => authorization)).not.toContain(`Bearer ${fake.token}`);
  });

  it('cannot send the token elsewhere by a redirect', async () => {
    const thief = await SymbiontFake.start();
    fake.misbehaves = 'redirects';
    fake.redirectsTo = `${thief.address}/api/v1/approvals`;
    follow();
    expect(await failing()).toContain('does not answer');
    await looksFailed();
    expect(thief.requests).toEqual([]);
    await thief.close();
  });

  it('cannot have a decision repeated elsewhere by a redirect', async () => {
    const thief = await SymbiontFake.start();
    const { id } = fake.hold();
    fake.redirectsTo = `${thief.address}/api/v1/approvals/${id}/approve`;
    const api = new SymbiontApi({ address: fake.address, token: fake.token });
    fake.misbehaves = 'redirects';
    symbiont = unused();
    const answer = await api.decide(id, 'approve', null, new AbortController().signal);
    expect(answer).toMatchObject({ ok: false, error: { kind: 'unknown' } });
    expect(thief.requests).toEqual([]);
    await thief.close();
  });

  it.each([
    ['floods', 'its answer is too large'],
    ['drips', 'no answer in time'],
  ] as const)('that %s is given up on', async (how, words) => {
    symbiont = unused();
    fake.misbehaves = how;
    const api = new SymbiontApi({ address: fake.address, token: fake.token }, how === 'drips' ? 50 : 20_000);
    const answer = await api.held(new AbortController().signal);
    expect(answer).toMatchObject({ ok: false, error: { kind: 'unknown' } });
    expect(answer.ok || answer.error.text).toContain(words);
  });

  it('that has too many requests is left alone for longer, and said so', async () => {
    fake.misbehaves = 'limits';
    follow();
    expect(await failing()).toContain('too many requests');
    expect(await between(0, 1)).toBeGreaterThan(PACING.limitedPollMs - EARLY_MS);
  });

  it('that fails is asked less and less often', async () => {
    fake.list = 'no list';
    follow();
    expect(await between(2, 3)).toBeGreaterThan(PACING.failingPollMaxMs - EARLY_MS);
  });

  it('B24 has its summary shown with nothing invisible in it, on one line', async () => {
    fake.hold({ summary: `harmless\u202e\n\u0000${'x'.repeat(900)}` });
    follow();
    const { request } = await waiting();
    expect(request.title).toMatch(/^harmless<U\+202E> <NUL>x+…$|^harmless<U\+202E> <U\+0000>x+…$/);
  });

  it('A12 a number that cannot be shown exactly is not approved, and hides no other action', async () => {
    fake.hold();
    fake.hold({ context_snapshot: { deep: [{ n: 'BIG' }] } });
    fake.writes = (text) => text.replace('"BIG"', '12345678901234567890');
    follow();
    await waiting(2);
    expect(queue.waiting().map(({ question }) => question.obstacle)).toEqual([
      null,
      'It has a number that cannot be shown exactly; approve it there.',
    ]);
  });

  it('never takes the room of the questions that Airlock asks itself', async () => {
    for (let n = 0; n < SYMBIONT.offeredMax + 3; n += 1) fake.hold();
    follow();
    await waiting(SYMBIONT.offeredMax);
    await eventually(() =>
      expect(symbiont.status).toMatchObject({ held: SYMBIONT.offeredMax + 3, notOffered: 3 }),
    );
    const own = queue.ask(aQuestion(), new AbortController().signal);
    await waiting(SYMBIONT.offeredMax + 1);
    await queue.deny(queue.waiting().at(-1)?.request ?? { id: '', digest: '' }, '', PERSON);
    expect((await own).outcome).toBe('denied');
    fake.actions.splice(0, 4);
    const left = SYMBIONT.offeredMax - 1;
    await eventually(() => expect(symbiont.status).toMatchObject({ held: left, notOffered: 0 }));
    expect(queue.waiting()).toHaveLength(left);
    expect(audit.events).not.toContain('approval.refused');
  });
});

/** For tests that ask the API alone. */
function unused(): SymbiontApprovals {
  const profile = { id: 'ops', name: 'Operations', address: fake.address };
  return new SymbiontApprovals({ profile, token: fake.token, queue });
}

/** Fails at least three times. */
async function looksFailed(): Promise<void> {
  await eventually(() => expect(fake.requests.length).toBeGreaterThan(6));
}

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SYMBIONT } from '../../shared/governed/limits.ts';
import { eventually } from '../connection/testing/eventually.ts';
import { ApprovalQueue, type Approver, type Waiting } from './approval-queue.ts';
import { SymbiontApprovals } from './symbiont.ts';
import { MemoryAuditLog } from './testing/memory-audit-log.ts';
import { SymbiontFake } from './testing/symbiont-fake.ts';

const PERSON: Approver = { surface: 'desktop', id: '1000', display: 'someone' };

let fake: SymbiontFake;
let audit: MemoryAuditLog;
let queue: ApprovalQueue;
let symbiont: SymbiontApprovals;

beforeEach(async () => {
  fake = await SymbiontFake.start();
  audit = new MemoryAuditLog();
  queue = new ApprovalQueue({ audit });
});

afterEach(async () => {
  symbiont.dispose();
  queue.dispose();
  await fake.close();
});

function follow(token = fake.token): void {
  symbiont = new SymbiontApprovals({ endpoint: { baseUrl: fake.baseUrl, token }, queue, profileId: 'ops' });
  symbiont.start();
}

async function waiting(count = 1): Promise<Waiting> {
  await eventually(() => expect(queue.waiting()).toHaveLength(count));
  return queue.waiting().at(-1) as Waiting;
}

/** A person reads it for long enough and approves. */
async function approve({ request: { id, digest }, viewings }: Waiting) {
  const viewing = viewings.open();
  viewings.setReady(viewing, true);
  await eventually(() => expect(viewings.obstacle(viewing)).toBeNull());
  return queue.approve({ id, digest, viewing }, PERSON);
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
    expect(JSON.parse(request.payload)).toEqual(action);
    expect(request).toMatchObject({ title: action.summary, sessionId: 'symbiont:ops' });
    expect(question).toMatchObject({ source: 'symbiont', obstacle: null });
    expect(symbiont.status).toEqual({ kind: 'following', version: '1.21.1' });
  });

  it('A11 that vanishes there is taken away here, and asked once only', async () => {
    fake.hold();
    follow();
    await waiting();
    const before = fake.listed;
    await eventually(() => expect(fake.listed).toBeGreaterThan(before));
    expect(queue.waiting()).toHaveLength(1);
    fake.actions = [];
    await waiting(0).catch(() => {});
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
    const viewing = held.viewings.open();
    held.viewings.setReady(viewing, true);
    await eventually(() => expect(held.viewings.obstacle(viewing)).toBeNull());
    action.context_snapshot = { iteration: 4 };
    const { id, digest } = held.request;
    const answer = await queue.approve({ id, digest, viewing }, PERSON);
    // Whichever comes first, the poll or the decision: nothing is approved.
    if (answer.ok) expect(answer.value).toMatchObject({ outcome: 'cancelled', approver: null });
    expect(fake.decided).toEqual([]);
  });

  it('A11 a key that may not decide approves nothing, and is said', async () => {
    fake.hold();
    fake.agentScoped = true;
    follow();
    const answer = await approve(await waiting());
    expect(answer).toMatchObject({ ok: true, value: { outcome: 'cancelled', approver: null } });
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
    expect(answer).toMatchObject({ ok: true, value: { outcome: 'cancelled', approver: null } });
    expect(answer.ok && answer.value.reason).toContain(words);
  });

  it('A12 without an answer its outcome is unknown, not denied', async () => {
    fake.hold();
    fake.cutsDecisions = true;
    follow();
    const answer = await approve(await waiting());
    expect(answer).toMatchObject({ ok: true, value: { outcome: 'approved' } });
    expect(answer.ok && answer.value.reason).toMatch(/^Outcome unknown: /);
    expect(audit.records.at(-1)).toMatchObject({ data: { delivery: { kind: 'unknown' } } });
  });
});

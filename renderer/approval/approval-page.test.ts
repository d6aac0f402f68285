import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  ApprovalPageAnswer,
  AskHost,
  SettledRequest,
  WaitingRequest,
} from '../../shared/governed/approval-page.ts';
import { APPROVAL } from '../../shared/governed/limits.ts';
import { ApprovalPage } from './approval-page.ts';

const A = waiting('a');
const B = waiting('b');

function waiting(id: string): WaitingRequest {
  return {
    id,
    source: 'symbiont',
    kind: 'command',
    title: id,
    sessionId: '',
    digest: `sha256:${id}`,
    createdAt: '',
    expiresAt: '',
    leftMs: 60_000,
  };
}

/** A page in a frame that shows A, while B waits as well; the answer to a denial is the test's, and what is listed next. */
async function following(waits = [A, B]) {
  const denied = Promise.withResolvers<ApprovalPageAnswer<'deny'>>();
  const wishes: ((id: string) => void)[] = [];
  const denials: string[] = [];
  const lists: PromiseWithResolvers<ApprovalPageAnswer<'list'>>[] = [Promise.withResolvers()];
  const listed = (waiting: WaitingRequest[], settled: SettledRequest[] = []) => {
    const revision = lists.length;
    lists.push(Promise.withResolvers());
    lists[revision - 1]?.resolve({ ok: true, value: { revision, waiting, settled, theme: 'dark' } });
  };
  const ask = async (verb: string, params: { id: string; after: number | null }) => {
    if (verb === 'deny') {
      denials.push(params.id);
      return denied.promise;
    }
    if (verb === 'show') {
      const found = params.id === A.id ? A : B;
      return { ok: true, value: { ...found, payload: '{}', viewing: 'v', obstacle: null } };
    }
    return lists[params.after ?? 0]?.promise;
  };
  const page = new ApprovalPage({
    entered: Promise.resolve({ kind: 'in' }),
    ask: ask as unknown as AskHost,
    isWindow: false,
    ownWindow: async () => null,
    leave: () => {},
    onWish: (listener) => wishes.push(listener),
  });
  void page.run();
  listed(waits);
  await vi.waitFor(() => expect(page.state.shown?.id).toBe(A.id));
  return { page, denied, denials, listed, wish: (id: string) => wishes[0]?.(id) };
}

/** When a press that is meant for what is shown can begin. */
const later = (page: ApprovalPage) => (page.state.shown?.since ?? 0) + APPROVAL.settleMs;

const settled = (outcome: SettledRequest['outcome']): ApprovalPageAnswer<'deny'> => ({
  ok: true,
  value: { id: A.id, title: A.title, outcome, reason: null },
});
const refused: ApprovalPageAnswer<'deny'> = { ok: false, error: { tag: 'refused', text: 'It is over.' } };

it.each([settled('denied'), refused])(
  'A12 what becomes of a request that takes long is not said of the next one',
  async (answer) => {
    const { page, denied, wish } = await following();
    const decided = page.deny('', later(page));
    expect(page.state.deciding).toBe(true);
    wish(B.id);
    await vi.waitFor(() => expect(page.state.shown?.id).toBe(B.id));
    denied.resolve(answer);
    await decided;
    expect(page.state).toMatchObject({ shown: { id: B.id }, settled: null, words: null, deciding: false });
  },
);

it('what becomes of the request that is shown is said', async () => {
  const { page, denied } = await following();
  const decided = page.deny('', later(page));
  denied.resolve(settled('denied'));
  await decided;
  expect(page.state).toMatchObject({ shown: { id: A.id }, settled: { outcome: 'denied' }, deciding: false });
});

it('a press that began as the request came up denies nothing: a double click never denies two', async () => {
  const { page, denied, denials, wish } = await following();
  void page.deny('', later(page));
  denied.resolve(settled('denied'));
  await vi.waitFor(() => expect(page.state.settled?.outcome).toBe('denied'));
  wish(B.id);
  await vi.waitFor(() => expect(page.state.shown?.id).toBe(B.id));
  await page.deny('', later(page) - 1);
  expect(denials).toEqual([A.id]);
  expect(page.state).toMatchObject({ shown: { id: B.id }, settled: null, deciding: false });
  void page.deny('', later(page));
  expect(denials).toEqual([A.id, B.id]);
});

describe('what comes next', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('a request that waited already is shown when a person picks it', async () => {
    const { page, listed } = await following();
    listed([B], [{ id: A.id, title: A.title, outcome: 'expired', reason: null }]);
    await vi.waitFor(() => expect(page.state.settled?.outcome).toBe('expired'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(page.state.shown?.id).toBe(A.id);
    page.show(B.id);
    await vi.waitFor(() => expect(page.state.shown?.id).toBe(B.id));
  });

  it('a request that comes is shown once the outcome of the last one was there for a moment', async () => {
    const { page, listed } = await following([A]);
    listed([], [{ id: A.id, title: A.title, outcome: 'unknown', reason: null }]);
    await vi.waitFor(() => expect(page.state.settled?.outcome).toBe('unknown'));
    listed([B]);
    await vi.waitFor(() => expect(page.state.waiting).toEqual([B]));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(page.state.shown?.id).toBe(A.id);
    await vi.advanceTimersByTimeAsync(200);
    expect(page.state.shown?.id).toBe(B.id);
  });
});

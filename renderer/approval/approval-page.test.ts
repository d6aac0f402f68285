import { expect, it, vi } from 'vitest';
import type {
  ApprovalPageAnswer,
  AskHost,
  SettledRequest,
  WaitingRequest,
} from '../../shared/governed/approval-page.ts';
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

/** A page in a frame that shows A, while B waits as well; the answer to a denial is the test's. */
async function following() {
  const denied = Promise.withResolvers<ApprovalPageAnswer<'deny'>>();
  const wishes: ((id: string) => void)[] = [];
  let asked = false;
  const ask = async (verb: string, params: { id: string }) => {
    if (verb === 'deny') return denied.promise;
    if (verb === 'show') {
      const found = params.id === A.id ? A : B;
      return { ok: true, value: { ...found, payload: '{}', viewing: 'v', obstacle: null } };
    }
    if (asked) return new Promise(() => {});
    asked = true;
    return { ok: true, value: { revision: 1, waiting: [A, B], settled: [], theme: 'dark' } };
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
  await vi.waitFor(() => expect(page.state.shown?.id).toBe(A.id));
  return { page, denied, wish: (id: string) => wishes[0]?.(id) };
}

const settled = (outcome: SettledRequest['outcome']): ApprovalPageAnswer<'deny'> => ({
  ok: true,
  value: { id: A.id, title: A.title, outcome, reason: null },
});
const refused: ApprovalPageAnswer<'deny'> = { ok: false, error: { tag: 'refused', text: 'It is over.' } };

it.each([settled('denied'), refused])(
  'A12 what becomes of a request that takes long is not said of the next one',
  async (answer) => {
    const { page, denied, wish } = await following();
    const decided = page.deny('');
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
  const decided = page.deny('');
  denied.resolve(settled('denied'));
  await decided;
  expect(page.state).toMatchObject({ shown: { id: A.id }, settled: { outcome: 'denied' }, deciding: false });
});

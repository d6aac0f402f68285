import { describe, expect, it } from 'vitest';
import {
  type ApprovalsState,
  arrived,
  connectionLost,
  dockOpened,
  NO_APPROVALS,
  queueReceived,
} from './approvals-store.ts';

const hostNow = '2026-11-29T12:00:00.000Z';

function request(id: string, leftMs: number) {
  return {
    id,
    source: 'airlock' as const,
    kind: 'command' as const,
    title: id,
    sessionId: 's',
    digest: `sha256:${'0'.repeat(64)}`,
    createdAt: hostNow,
    expiresAt: new Date(Date.parse(hostNow) + leftMs).toISOString(),
  };
}

function received(state: ApprovalsState, ...requests: ReturnType<typeof request>[]): ApprovalsState {
  return queueReceived(state, { pending: requests, recent: [], now: hostNow }, 5_000);
}

const a = request('a', 60_000);
const b = request('b', 30_000);

describe('the queue', () => {
  it('counts down on the page’s own clock, whatever the host’s says; the next to expire comes first', () => {
    const { pending } = received(NO_APPROVALS, a, b);
    expect(pending?.map(({ id, endsAt }) => [id, endsAt])).toEqual([
      ['b', 35_000],
      ['a', 65_000],
    ]);
  });

  it('opens the dock for a new request; after the last it shows what became of it and closes', () => {
    const one = received(NO_APPROVALS, a);
    expect(one).toMatchObject({ dock: 'by-decision', shown: 'a' });
    const closing = received(one);
    expect(closing).toMatchObject({ dock: 'closing', shown: 'a', pending: [] });
    expect(received(closing, b)).toMatchObject({ dock: 'by-decision', shown: 'a' });
  });

  it('a dock that a person closed stays closed until there is something new', () => {
    const closed: ApprovalsState = { ...received(NO_APPROVALS, a), dock: 'closed' };
    expect(received(closed, a).dock).toBe('closed');
    expect(received(closed, a, b).dock).toBe('by-decision');
  });

  it('a dock that a person opened for one decision closes behind the last', () => {
    const opened = dockOpened({ ...received(NO_APPROVALS, a), dock: 'closed' }, 'a');
    expect(opened).toMatchObject({ dock: 'by-decision', shown: 'a' });
    expect(received(opened).dock).toBe('closing');
    expect(dockOpened({ ...opened, dock: 'by-person' }, 'a').dock).toBe('by-person');
    expect(dockOpened(NO_APPROVALS, undefined).dock).toBe('by-person');
  });

  it('a dock that a person opened stays open', () => {
    expect(received({ ...received(NO_APPROVALS, a), dock: 'by-person' }).dock).toBe('by-person');
  });

  it('no request takes the place of the one that is shown, nor of what became of it', () => {
    const one = received(NO_APPROVALS, a);
    expect(received(one, a, b).shown).toBe('a');
    expect(received(one, b).shown).toBe('a');
    expect(received(received(one, a, b), b).shown).toBe('a');
    expect(dockOpened(received(one, b), 'b').shown).toBe('b');
    expect(received({ ...one, dock: 'closed' }, b).shown).toBe('b');
  });

  it('tells what is new', () => {
    const one = received(NO_APPROVALS, a);
    expect(arrived(one, received(one, a, b).pending ?? []).map(({ id }) => id)).toEqual(['b']);
  });

  it('a lost connection leaves nothing that looks as if it waited', () => {
    expect(connectionLost(received(NO_APPROVALS, a))).toEqual(NO_APPROVALS);
  });
});

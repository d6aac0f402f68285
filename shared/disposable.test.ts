import { describe, expect, it } from 'vitest';
import { DisposableStore, toDisposable } from './disposable.ts';

it('toDisposable ends once', () => {
  let ends = 0;
  const disposable = toDisposable(() => {
    ends += 1;
  });
  disposable.dispose();
  disposable.dispose();
  expect(ends).toBe(1);
});

describe('DisposableStore', () => {
  it('ends what it owns in reverse order, and what comes late at once', () => {
    const ended: string[] = [];
    const store = new DisposableStore();
    for (const name of ['a', 'b', 'c']) store.add(toDisposable(() => ended.push(name)));
    expect(store.disposed).toBe(false);
    store.dispose();
    store.add(toDisposable(() => ended.push('late')));
    store.dispose();
    expect([ended, store.disposed]).toEqual([['c', 'b', 'a', 'late'], true]);
  });
});

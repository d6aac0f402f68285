import { describe, expect, it } from 'vitest';
import { unthrottleTimers } from './unthrottled-timers.ts';

/** A browser whose own timers never fire: what runs was carried by the channel. */
function hiddenPage() {
  const set: unknown[] = [];
  const cleared: unknown[] = [];
  const globals = {
    setTimeout: ((_handler: () => void, delay?: number) => set.push(delay)) as unknown as typeof setTimeout,
    clearTimeout: ((id: number) => cleared.push(id)) as unknown as typeof clearTimeout,
    MessageChannel,
  };
  const page = { hidden: true };
  const timers = unthrottleTimers(() => page.hidden, globals);
  return { page, globals, set, cleared, timers };
}

/** Resolves after every message that is on its way now. */
function settled(globals: { setTimeout: typeof setTimeout }): Promise<void> {
  return new Promise((resolve) => globals.setTimeout(resolve));
}

describe('unthrottleTimers (B31)', () => {
  it('runs timers without a delay in their order, with their arguments', async () => {
    const { globals, set, timers } = hiddenPage();
    const ran: unknown[] = [];
    globals.setTimeout((...args: unknown[]) => ran.push(args), 0, 'a', 1);
    globals.setTimeout(() => ran.push('b'));
    await settled(globals);
    expect(ran).toEqual([['a', 1], 'b']);
    expect(set).toEqual([]);
    timers.dispose();
  });

  it('leaves delays and a visible page to the browser', () => {
    const { globals, set, page, timers } = hiddenPage();
    globals.setTimeout(() => {}, 10);
    page.hidden = false;
    globals.setTimeout(() => {}, 0);
    expect(set).toEqual([10, 0]);
    timers.dispose();
  });

  it('clears its own timers and passes the others on', async () => {
    const { globals, cleared, timers } = hiddenPage();
    const ran: string[] = [];
    globals.setTimeout(() => ran.push('a'));
    const id = globals.setTimeout(() => ran.push('b'));
    globals.setTimeout(() => ran.push('c'));
    globals.clearTimeout(id);
    globals.clearTimeout(7);
    await settled(globals);
    expect(ran).toEqual(['a', 'c']);
    expect(cleared).toEqual([7]);
    timers.dispose();
  });

  it('gives the browser its timers back', () => {
    const { globals, set, timers } = hiddenPage();
    timers.dispose();
    globals.setTimeout(() => {}, 0);
    expect(set).toEqual([0]);
  });
});

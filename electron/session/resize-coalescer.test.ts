import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RESIZE_RETRY_DELAYS_MS } from '../../shared/terminal/limits.ts';
import type { TerminalSize } from '../../shared/terminal/size.ts';
import { InputQueue } from './input-queue.ts';
import { ResizeCoalescer, type ResizeOutcome } from './resize-coalescer.ts';

/** A terminal whose resizes are answered by hand; a size is in force from its answer on. */
class ManualBackend {
  readonly calls: number[] = [];
  inForce = 0;
  mostInFlight = 0;
  #open: { cols: number; resolve: () => void; reject: (reason: Error) => void }[] = [];

  readonly apply = (size: TerminalSize): Promise<void> => {
    this.calls.push(size.cols);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#open.push({ cols: size.cols, resolve, reject });
    this.mostInFlight = Math.max(this.mostInFlight, this.#open.length);
    return promise;
  };

  get waiting(): boolean {
    return this.#open.length > 0;
  }

  async accept(): Promise<void> {
    const call = this.#open.shift();
    if (call === undefined) return;
    this.inForce = call.cols;
    call.resolve();
    await vi.advanceTimersByTimeAsync(0);
  }

  async refuse(): Promise<void> {
    this.#open.shift()?.reject(new Error('refused'));
    await vi.advanceTimersByTimeAsync(0);
  }
}

const cols = (value: number): TerminalSize => ({ cols: value, rows: 24 });
const allDelays = RESIZE_RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('ST-9 coalescing', () => {
  it('of a burst the first and the last reach the terminal, and all are answered', async () => {
    const backend = new ManualBackend();
    const resizer = new ResizeCoalescer(backend.apply);
    const burst = [1, 2, 3, 4, 5].map((value) => resizer.request(cols(value)));
    await backend.accept();
    await backend.accept();
    expect(await Promise.all(burst)).toEqual(Array(5).fill('in-force'));
    expect(backend.calls).toEqual([1, 5]);
    expect(resizer.pending).toBeNull();
  });

  it('a request is answered as soon as its size or a newer one is in force, whatever came after', async () => {
    const backend = new ManualBackend();
    const resizer = new ResizeCoalescer(backend.apply);
    const first = resizer.request(cols(1));
    void resizer.request(cols(2));
    await backend.accept();
    expect(await first).toBe('in-force');
    expect(resizer.pending).not.toBeNull();
  });

  it('the same size again is applied again: the program may have changed it', async () => {
    const backend = new ManualBackend();
    const resizer = new ResizeCoalescer(backend.apply);
    void resizer.request(cols(1));
    await backend.accept();
    void resizer.request(cols(1));
    expect(backend.calls).toEqual([1, 1]);
  });
});

describe('B05 refusals', () => {
  it.each([0, 1, 3])('the size arrives after %i refused calls', async (refusals) => {
    const backend = new ManualBackend();
    const resizer = new ResizeCoalescer(backend.apply);
    const outcome = resizer.request(cols(7));
    for (let n = 0; n < refusals; n++) {
      await backend.refuse();
      await vi.advanceTimersByTimeAsync(allDelays);
    }
    await backend.accept();
    expect(await outcome).toBe('in-force');
    expect(backend.inForce).toBe(7);
  });

  it('tries are bounded, then the request has failed and input goes on', async () => {
    const backend = new ManualBackend();
    const resizer = new ResizeCoalescer(backend.apply);
    const outcome = resizer.request(cols(7));
    while (backend.waiting) {
      await backend.refuse();
      await vi.advanceTimersByTimeAsync(allDelays);
    }
    expect(await outcome).toBe('failed');
    expect(backend.calls).toHaveLength(1 + RESIZE_RETRY_DELAYS_MS.length);
    expect(resizer.pending).toBeNull();
  });

  it('a newer size does not wait for the retry of a refused one', async () => {
    const backend = new ManualBackend();
    const resizer = new ResizeCoalescer(backend.apply);
    void resizer.request(cols(1));
    await backend.refuse();
    void resizer.request(cols(2));
    expect(backend.calls).toEqual([1, 2]);
    await backend.accept();
    await vi.advanceTimersByTimeAsync(allDelays);
    expect(backend.calls).toEqual([1, 2]);
  });

  it('tries end with the session', async () => {
    const backend = new ManualBackend();
    const resizer = new ResizeCoalescer(backend.apply);
    const refused = resizer.request(cols(1));
    await backend.refuse();
    resizer.dispose();
    await vi.advanceTimersByTimeAsync(allDelays);
    expect(await refused).toBe('ended');
    expect(await resizer.request(cols(2))).toBe('ended');
    expect(backend.calls).toEqual([1]);
  });

  it('an answer after the end is ignored', async () => {
    const backend = new ManualBackend();
    const resizer = new ResizeCoalescer(backend.apply);
    const requests = [resizer.request(cols(1)), resizer.request(cols(2))];
    resizer.dispose();
    await backend.accept();
    expect(await Promise.all(requests)).toEqual(['ended', 'ended']);
    expect(backend.calls).toEqual([1]);
  });
});

describe('B04 properties over any backend', () => {
  const actions = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('resize' as const) },
      { weight: 3, arbitrary: fc.constant('accept' as const) },
      fc.constant('refuse' as const),
      fc.constant('type' as const),
      fc.constant('wait' as const),
    ),
    { maxLength: 60 },
  );

  it('one in flight; no older size after a newer; the last arrives; input typed after a resize waits for it', async () => {
    await fc.assert(
      fc.asyncProperty(actions, async (script) => {
        const backend = new ManualBackend();
        const resizer = new ResizeCoalescer(backend.apply);
        const written: { typedAfter: number; inForce: number }[] = [];
        const queue = new InputQueue(
          async (bytes) => {
            written.push({ typedAfter: bytes[0] as number, inForce: backend.inForce });
          },
          () => expect.unreachable(),
        );
        const outcomes: Promise<ResizeOutcome>[] = [];
        let refused = false;
        let typed = 0;
        for (const action of script) {
          if (action === 'resize') outcomes.push(resizer.request(cols(outcomes.length + 1)));
          if (action === 'accept') await backend.accept();
          if (action === 'wait') await vi.advanceTimersByTimeAsync(60);
          if (action === 'refuse') {
            refused ||= backend.waiting;
            await backend.refuse();
          }
          if (action === 'type') {
            typed++;
            queue.push(Uint8Array.of(outcomes.length), resizer.pending);
          }
        }
        while (resizer.pending !== null) {
          await backend.accept();
          await vi.advanceTimersByTimeAsync(allDelays);
        }
        await vi.advanceTimersByTimeAsync(0);

        expect(backend.mostInFlight).toBeLessThanOrEqual(1);
        expect(backend.calls).toEqual([...backend.calls].sort((a, b) => a - b));
        const answers = await Promise.all(outcomes);
        if (answers.at(-1) === 'in-force') expect(backend.inForce).toBe(outcomes.length);
        if (!refused) expect(answers.every((answer) => answer === 'in-force')).toBe(true);
        expect(written).toHaveLength(typed);
        for (const { typedAfter, inForce } of written) {
          if (!refused) expect(inForce).toBeGreaterThanOrEqual(typedAfter);
        }
      }),
      { numRuns: 300 },
    );
  });
});

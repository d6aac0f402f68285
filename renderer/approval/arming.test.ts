import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ArmingControl } from './arming.ts';

const ARM_MS = 1_500;

let told: boolean[];
let answer: number | null | Promise<number | null>;
let kinds: string[];
let control: ArmingControl;

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  kinds = [];
  answer = ARM_MS;
  control = new ArmingControl({
    async tell(ready) {
      told.push(ready);
      return answer;
    },
    onChange: ({ kind }) => kinds.push(kind),
  });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('arming', () => {
  it('follows being visible and read, and takes as long as the host says', async () => {
    control.setVisible(true);
    expect(kinds).toEqual(['unread']);
    control.setRead();
    await vi.advanceTimersByTimeAsync(ARM_MS - 1);
    expect(kinds).toEqual(['unread', 'arming']);
    await vi.advanceTimersByTimeAsync(1);
    expect(control.arming).toEqual({ kind: 'armed' });
    expect(told).toEqual([true]);
  });

  it('is counted from the answer of the host, not from the question', async () => {
    const late = Promise.withResolvers<number | null>();
    answer = late.promise;
    control.setVisible(true);
    control.setRead();
    await vi.advanceTimersByTimeAsync(10 * ARM_MS);
    expect(control.arming.kind).toBe('arming');
    late.resolve(ARM_MS);
    await vi.advanceTimersByTimeAsync(ARM_MS - 1);
    expect(control.arming.kind).toBe('arming');
    await vi.advanceTimersByTimeAsync(1);
    expect(control.arming.kind).toBe('armed');
  });

  it.each([0, ARM_MS - 1, ARM_MS])('starts again when the page is covered after %d ms', async (after) => {
    control.setVisible(true);
    control.setRead();
    await vi.advanceTimersByTimeAsync(after);
    control.setVisible(false);
    expect(control.arming.kind).toBe('hidden');
    control.setVisible(true);
    await vi.advanceTimersByTimeAsync(ARM_MS - 1);
    expect(control.arming.kind).toBe('arming');
    await vi.advanceTimersByTimeAsync(1);
    expect(control.arming.kind).toBe('armed');
    expect(told).toEqual([true, false, true]);
  });

  it('never arms a showing that the host does not know, nor after it is disposed', async () => {
    answer = null;
    control.setVisible(true);
    control.setRead();
    await vi.advanceTimersByTimeAsync(ARM_MS);
    expect(control.arming.kind).toBe('never');
    answer = ARM_MS;
    control.setVisible(false);
    control.setVisible(true);
    control.dispose();
    await vi.advanceTimersByTimeAsync(ARM_MS);
    expect(control.arming.kind).not.toBe('armed');
  });
});

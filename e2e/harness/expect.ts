import { expect as playwrightExpect } from '@playwright/test';

/** Milliseconds between two looks of `expect.poll`, the last one again and again: most answers come within a few. */
const LOOKS_MS = [10, 20, 40, 80, 160];

type Poll = typeof playwrightExpect.poll;

const poll: Poll = (actual, options) =>
  playwrightExpect.poll(actual, {
    intervals: LOOKS_MS,
    ...(typeof options === 'string' ? { message: options } : options),
  });

/** Playwright's, with a `poll` that looks again sooner. */
export const expect: typeof playwrightExpect = new Proxy(playwrightExpect, {
  get: (target, name) => (name === 'poll' ? poll : Reflect.get(target, name)),
});

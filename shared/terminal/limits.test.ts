import { expect, it } from 'vitest';
import { CLOSE_DEADLINE_MS } from '../governed/limits.ts';
import { RECORDER_CLOSE_DEADLINE_MS } from '../transcripts/limits.ts';
import { DRAIN_DEADLINE_MS, QUIT_DEADLINE_MS, RELEASE_DEADLINE_MS } from './limits.ts';

it('a desktop that quits waits for every release, governed ones too, and for the recordings', () => {
  const released = Math.max(RELEASE_DEADLINE_MS + DRAIN_DEADLINE_MS, CLOSE_DEADLINE_MS);
  expect(QUIT_DEADLINE_MS).toBeGreaterThan(released + RECORDER_CLOSE_DEADLINE_MS);
});

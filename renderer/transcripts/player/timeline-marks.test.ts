import { describe, expect, it } from 'vitest';
import type { Moment } from '../../../shared/transcripts/moment.ts';
import { momentAt, nearestMoment, timelineMarks } from './timeline-marks.ts';

const id = '0d2f6c1a-8d55-4a36-9a3e-0b8f5f1f2a3b';
const notice = (atMs: number): Moment => ({ kind: 'notice', atMs, label: 'n', text: 'n' });
const decided = (atMs: number): Moment => ({
  kind: 'approval-decided',
  atMs,
  label: 'Approved',
  approvalId: id,
  outcome: 'approved',
});

describe('the marks of a timeline', () => {
  it('stand where their moments are', () => {
    expect(timelineMarks([notice(0), decided(500)], 1_000)).toEqual([
      { at: 0, tone: 'plain' },
      { at: 0.5, tone: 'decision' },
    ]);
  });

  it('that share a place are one, of the kind that matters most', () => {
    expect(timelineMarks([notice(500), decided(500.1), notice(500.2)], 1_000)).toEqual([
      { at: 0.5, tone: 'decision' },
    ]);
  });

  it('are no more than can be told apart', () => {
    const moments = Array.from({ length: 2_000 }, (_, n) => notice(n));
    expect(timelineMarks(moments, 2_000).length).toBeLessThanOrEqual(401);
  });

  it('stay inside, also of a transcript without any length', () => {
    expect(timelineMarks([notice(5)], 0)).toEqual([{ at: 0, tone: 'plain' }]);
    expect(timelineMarks([notice(5_000)], 1_000)).toEqual([{ at: 1, tone: 'plain' }]);
  });
});

it('the nearest moment is within reach or there is none', () => {
  expect(nearestMoment([notice(100), notice(140)], 125, 20)).toEqual(notice(140));
  expect(nearestMoment([notice(100)], 125, 20)).toBe(null);
});

it('the moment of a time is the last one before it', () => {
  expect(momentAt([notice(100), notice(140)], 139)).toEqual(notice(100));
  expect(momentAt([notice(100)], 99)).toBe(null);
});

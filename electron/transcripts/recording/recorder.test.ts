import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { SessionState } from '../../../shared/terminal/session-state.ts';
import {
  CAST_EVENT_MAX_BYTES,
  RECORDER_BATCH,
  RECORDER_QUEUE_MAX_BYTES,
} from '../../../shared/transcripts/limits.ts';
import type { FromRecorder, RecordedEvent, RecordingPlan, ToRecorder } from './messages.ts';
import { Recorder } from './recorder.ts';

const ID = '3b241101-e2bb-4255-8caf-4136c566a962';
const PLAN: RecordingPlan = {
  folder: '/nowhere',
  maxBytes: 1,
  header: { version: 3, term: { cols: 80, rows: 24 } },
};
const running = (more: Partial<Extract<SessionState, { kind: 'running' }>> = {}): SessionState => ({
  kind: 'running',
  route: 'sandbox',
  suspended: false,
  ...more,
});
const ENDED: SessionState = {
  kind: 'ended',
  cause: 'program-ended',
  outcome: { kind: 'exited', code: 0 },
  release: { removed: true, steps: [] },
};

/** A recorder whose thread answers when the test says so. */
function build({ recordsInput = false } = {}) {
  const clock = { ms: 5_000 };
  const posted: Extract<ToRecorder, { kind: 'batch' }>[] = [];
  const recorder = new Recorder({
    id: ID,
    recordsInput,
    now: () => clock.ms,
    post: (message) => message.kind === 'batch' && posted.push(message),
  });
  const answer = (more: Partial<FromRecorder> = {}) =>
    recorder.answered({ id: ID, written: 0, stopped: null, ended: false, ...more });
  // To the plan.
  answer();
  const events = () => posted.flatMap((message) => message.events);
  const bytes = () => Buffer.concat(posted.map((message) => message.bytes));
  return { clock, posted, recorder, answer, events, bytes };
}

const kinds = (events: readonly RecordedEvent[]) => events.map(({ kind }) => kind);

describe('a recorder', () => {
  it('hands on every byte once and in order, whatever the chunks (B02)', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 200_000 }), { maxLength: 8 }), (sizes) => {
        const chunks = sizes.map((size, index) => Buffer.alloc(size, `\xff${index}chunk`, 'latin1'));
        const { recorder, events, bytes } = build();
        for (const chunk of chunks) {
          const passing = Uint8Array.from(chunk);
          recorder.output(passing);
          passing.fill(0);
        }
        recorder.state(ENDED);
        expect(bytes().equals(Buffer.concat(chunks))).toBe(true);
        const lengths = events().map((event) => ('length' in event ? event.length : 0));
        expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(bytes().length);
        expect(lengths.every((length) => length <= RECORDER_BATCH.maxBytes)).toBe(true);
        expect(kinds(events()).at(-1)).toBe('end');
      }),
      { numRuns: 40 },
    );
  });

  it('takes the steady time of each call, which never falls (B27)', () => {
    const { clock, recorder, events } = build();
    const times = [5_000, 5_010.5, 5_004, 5_004, 5_800, 0, 5_801];
    for (const ms of times) {
      clock.ms = ms;
      recorder.resized({ cols: 80, rows: 24 });
    }
    recorder.state(ENDED);
    expect(events().map(({ atUs }) => atUs)).toEqual([
      0, 10_500, 10_500, 10_500, 800_000, 800_000, 801_000, 801_000,
    ]);
  });

  it('does not look at the wall clock (B27)', () => {
    const posted: ToRecorder[] = [];
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const now = () => performance.now();
      const recorder = new Recorder({
        id: ID,
        recordsInput: false,
        now,
        post: (message) => posted.push(message),
      });
      for (const jump of [0, -3_600_000, 86_400_000]) {
        vi.setSystemTime(Date.now() + jump);
        recorder.resized({ cols: 80, rows: 24 });
      }
      recorder.state(ENDED);
    } finally {
      vi.useRealTimers();
    }
    const times = posted
      .flatMap((message) => (message.kind === 'batch' ? message.events : []))
      .map(({ atUs }) => atUs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.at(-1)).toBeLessThan(60_000_000);
    expect(times.length).toBe(4);
  });

  it('makes one event of output that comes within a millisecond, in order with everything else', () => {
    const { clock, recorder, events } = build({ recordsInput: true });
    for (let index = 0; index < 5; index += 1) {
      recorder.output(Buffer.from('ab'));
      clock.ms += 0.4;
    }
    recorder.input(Buffer.from('x'));
    recorder.output(Buffer.from('c'));
    recorder.output(new Uint8Array(CAST_EVENT_MAX_BYTES));
    recorder.state(ENDED);
    expect(events().map((event) => ('length' in event ? [event.kind, event.length] : event.kind))).toEqual([
      ['output', 6],
      ['output', 4],
      ['input', 1],
      ['output', 1],
      ['output', CAST_EVENT_MAX_BYTES],
      'end',
    ]);
  });

  it('leaves input out unless the profile records it', () => {
    const { recorder, posted } = build();
    recorder.input(Buffer.from('secret'));
    recorder.state(ENDED);
    expect(Buffer.concat(posted.map(({ bytes }) => bytes)).length).toBe(0);
  });

  it('records routes, suspending and the end, once', () => {
    const { recorder, events } = build();
    recorder.state(running());
    recorder.state(running({ route: 'prompt' }));
    recorder.state(running({ route: 'prompt', suspended: true }));
    recorder.state(running());
    recorder.notice({ kind: 'break', text: 'Interrupted' });
    recorder.state({ kind: 'releasing', cause: 'user' });
    recorder.state(ENDED);
    recorder.state(ENDED);
    recorder.output(Buffer.from('late'));
    const labels = events().map((event) => (event.kind === 'moment' ? event.moment.kind : event.kind));
    expect(labels).toEqual(['route', 'suspended', 'route', 'resumed', 'notice', 'end']);
    expect(recorder.place).toBeNull();
  });
});

describe('a disk that does not keep up', () => {
  it('is waited for by no more than RECORDER_QUEUE_MAX_BYTES, and then recording stops and says so', async () => {
    const { recorder, posted, answer } = build();
    const why: string[] = [];
    recorder.onStopped((reason) => why.push(reason));
    const chunk = new Uint8Array(RECORDER_BATCH.maxBytes);
    for (let sent = 0; sent < 2 * RECORDER_QUEUE_MAX_BYTES; sent += chunk.length) {
      recorder.output(chunk);
      expect(recorder.queuedBytes).toBeLessThanOrEqual(RECORDER_QUEUE_MAX_BYTES + RECORDER_BATCH.costBytes);
    }
    expect(why).toEqual([]);
    await Promise.resolve();
    expect(why).toEqual(['The disk does not keep up with the output.']);
    expect(kinds(posted.at(-1)?.events ?? [])).toEqual(['stop']);
    const before = posted.length;
    recorder.output(chunk);
    expect(posted.length).toBe(before);
    recorder.state(ENDED);
    expect(kinds(posted.at(-1)?.events ?? [])).toEqual(['end']);
    for (const _ of posted) answer();
    expect(recorder.queuedBytes).toBe(0);
  });

  it('goes on when the disk does', () => {
    const { recorder, answer } = build();
    const chunk = new Uint8Array(RECORDER_BATCH.maxBytes);
    for (let sent = 0; sent < 3 * RECORDER_QUEUE_MAX_BYTES; sent += chunk.length) {
      recorder.output(chunk);
      answer();
    }
    expect(recorder.stopped).toBeNull();
  });
});

describe('what became of it', () => {
  it('is told when everything before is written', async () => {
    const { recorder, answer } = build();
    recorder.output(Buffer.from('x'));
    let told: string | null | undefined;
    void recorder.written().then((why) => (told = why));
    await Promise.resolve();
    expect(told).toBeUndefined();
    answer();
    await Promise.resolve();
    expect(told).toBeNull();
    expect(await recorder.written()).toBeNull();
  });

  it('is told when it cannot be written, also to whoever asks later', async () => {
    const { recorder, answer } = build();
    recorder.output(Buffer.from('x'));
    const written = recorder.written();
    answer({ stopped: 'The disk is full.' });
    expect(await written).toBe('The disk is full.');
    const told: string[] = [];
    recorder.onStopped((why) => told.push(why));
    expect(told).toEqual(['The disk is full.']);
    expect(recorder).toMatchObject({ stopped: 'The disk is full.', place: null });
  });

  it('is told of one that has stopped when its last words are written', async () => {
    const { recorder, posted, answer } = build();
    const chunk = new Uint8Array(RECORDER_BATCH.maxBytes);
    while (recorder.stopped === null) recorder.output(chunk);
    recorder.state(ENDED);
    let told: string | null | undefined;
    void recorder.written().then((why) => (told = why));
    for (const _ of posted.slice(1)) answer();
    await Promise.resolve();
    expect(told).toBeUndefined();
    answer();
    await Promise.resolve();
    expect(told).toBe('The disk does not keep up with the output.');
  });

  it('a thread that died stops it', async () => {
    const { recorder } = build();
    recorder.output(Buffer.from('x'));
    const written = recorder.written();
    recorder.lost('The recorder failed: out of memory.');
    expect(await written).toBe('The recorder failed: out of memory.');
    recorder.state(ENDED);
    expect(await recorder.written()).toBe('The recorder failed: out of memory.');
  });

  it('another thread tells its file why it stopped, and how the session ended, once', async () => {
    const { recorder, events, answer } = build();
    const why = 'The recorder failed: out of memory.';
    recorder.output(Buffer.from('lost'));
    const lost = recorder.written();
    const before = events().length;
    expect(recorder.moved(why, PLAN)).toBe(true);
    expect(await lost).toBe(why);
    recorder.output(Buffer.from('not recorded'));
    recorder.state(ENDED);
    expect(events().slice(before)).toMatchObject([{ kind: 'stop', why }, { kind: 'end' }]);
    let told = 0;
    const written = recorder.written().then(() => (told += 1));
    for (const _ of ['the plan', 'stop']) answer({ stopped: why });
    await Promise.resolve();
    expect(told).toBe(0);
    answer({ stopped: why, ended: true });
    await written;
    expect(recorder.moved('Again.', PLAN)).toBe(false);
  });

  it('an end that was lost with its thread is told to the next one', () => {
    const { recorder, events } = build();
    recorder.state(ENDED);
    recorder.moved('The recorder failed.', PLAN);
    expect(kinds(events())).toEqual(['end', 'stop', 'end']);
  });
});

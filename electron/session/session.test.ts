import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { profileSchema } from '../../shared/settings/schema.ts';
import {
  DRAIN_DEADLINE_MS,
  INPUT_QUEUE_MAX_BYTES,
  OUTPUT_CREDIT,
  RELEASE_DEADLINE_MS,
} from '../../shared/terminal/limits.ts';
import { Session } from './session.ts';
import { MemoryTerminal } from './testing/memory-sandbox.ts';
import { RecordingSink } from './testing/recording-sink.ts';

const hang = () => new Promise<never>(() => {});
const exited = (code: number) => ({ kind: 'exited', code }) as const;

function build(profile: { escapeCharacter?: string | null } = {}) {
  const terminal = new MemoryTerminal();
  const sink = new RecordingSink();
  const recorded: string[] = [];
  const session = new Session({
    id: '5b0d2f0e-5a94-4b0e-8d5e-0d7d1f1f5a11',
    profile: profileSchema.parse({ id: 'shell', name: 'Shell', ...profile }),
    terminal,
    sink,
    releaseRecord: {
      releasing: (cause) => recorded.push(`releasing ${cause}`),
      closed: (state) => recorded.push(state.kind),
    },
    recording: null,
  });
  const type = (text: string) => session.input('typed', Buffer.from(text));
  return { terminal, sink, session, recorded, type };
}

async function running(profile?: { escapeCharacter?: string | null }) {
  const parts = build(profile);
  await parts.sink.until(() => parts.session.state.kind === 'running');
  await settle();
  return parts;
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
const tag = (result: { ok: boolean; error?: { tag: string } }) => (result.ok ? 'ok' : result.error?.tag);

describe('opening', () => {
  it('ST-6 tells nothing and takes nothing until whoever opened it has run', async () => {
    const { sink, session, terminal, type } = build();
    terminal.print('early');
    await Promise.resolve();
    expect(sink.events).toEqual([]);
    expect(tag(type('x'))).toBe('session-not-running');
    await sink.until(() => sink.bytes > 0);
    expect(sink.events).toEqual(['running', 'output:early']);
    expect(session.state).toEqual({ kind: 'running', route: 'sandbox', suspended: false });
  });

  it('ST-21 a program that ended before anybody listened loses nothing', async () => {
    const { sink, terminal, session } = build();
    terminal.print('all I had to say');
    terminal.exit(exited(3));
    await session.closed;
    expect(sink.events).toEqual(['running', 'output:all I had to say', 'releasing', 'ended']);
  });

  it('ST-24 can be ended before it started', async () => {
    const { sink, session } = build();
    session.end('client-lost');
    await session.closed;
    expect(sink.events).toEqual(['releasing', 'ended']);
    expect(sink.last).toMatchObject({ outcome: { kind: 'signalled', signal: 1 } });
  });
});

describe('input', () => {
  it('ST-8 bytes reach the terminal unchanged, before input returns', async () => {
    const { terminal, session } = await running();
    session.input('typed', Buffer.from('\x03\x1a\x1c'));
    expect(terminal.written).toBe('\x03\x1a\x1c');
  });

  it('ST-9 what is typed after a resize waits for it; what was typed before does not', async () => {
    const { terminal, session, type } = await running();
    const inForce = Promise.withResolvers<void>();
    terminal.onResize = () => inForce.promise;
    type('a');
    const resized = session.resize({ cols: 101, rows: 37 });
    type('b');
    await settle();
    expect(terminal.log).toEqual(['write "a"', 'resize 101x37']);
    inForce.resolve();
    expect(tag(await resized)).toBe('ok');
    await settle();
    expect(terminal.log).toEqual(['write "a"', 'resize 101x37', 'write "b"']);
  });

  it('ST-9 a resize does not wait for input that nobody reads', async () => {
    const { terminal, session, type } = await running();
    terminal.onWrite = hang;
    type('a');
    expect(tag(await session.resize({ cols: 101, rows: 37 }))).toBe('ok');
  });

  it('ST-3 refuses more than the queue holds, and says so', async () => {
    const { terminal, session } = await running();
    terminal.onWrite = hang;
    const half = new Uint8Array(INPUT_QUEUE_MAX_BYTES / 2);
    expect(tag(session.input('paste', half))).toBe('ok');
    expect(tag(session.input('paste', half))).toBe('input-queue-full');
  });

  it('of one chunk nothing is sent behind a refused part', async () => {
    const { terminal, session, type } = await running();
    terminal.onWrite = hang;
    session.input('paste', new Uint8Array(INPUT_QUEUE_MAX_BYTES - 2000));
    type('\r');
    expect(tag(type(`${'x'.repeat(3000)}\r~?y`))).toBe('input-queue-full');
    expect(terminal.log).toHaveLength(1);
  });
});

describe('escape sequences', () => {
  it('ST-11 ~. releases while writing, resizing and BREAK hang and the queue is full', async () => {
    const { terminal, session, sink, type, recorded } = await running();
    terminal.onWrite = hang;
    terminal.onResize = hang;
    terminal.onBreak = hang;
    void session.resize({ cols: 10, rows: 10 });
    type('x');
    const half = new Uint8Array(INPUT_QUEUE_MAX_BYTES / 2);
    while (session.input('paste', half).ok);
    expect(tag(type('\r'))).toBe('input-queue-full');
    type('~');
    expect(tag(type('.'))).toBe('ok');
    await session.closed;
    expect(sink.last).toMatchObject({ kind: 'ended', cause: 'escape' });
    expect(recorded).toEqual(['releasing escape', 'ended']);
  });

  it('ST-11 what follows ~. in the same chunk is refused', async () => {
    const { terminal, type } = await running();
    expect(tag(type('~.rm -rf\r'))).toBe('session-releasing');
    expect(terminal.written).toBe('');
  });

  it('ST-12 ~B sends BREAK and tells what it meant', async () => {
    const { sink, type, terminal } = await running();
    type('~B');
    await sink.until(() => sink.notices.length > 0);
    expect(terminal.log).toEqual(['break']);
    expect(sink.notices).toEqual([{ kind: 'break', text: 'Interrupt' }]);
  });

  it('ST-10 an engine without BREAK says so', async () => {
    const { sink, type, terminal, session } = await running();
    terminal.onBreak = async () => null;
    type('~B');
    await sink.until(() => sink.notices.length > 0);
    expect(sink.notices).toEqual([{ kind: 'break', text: 'BREAK is not supported by memory.' }]);
    expect(tag(await session.sendBreak())).toBe('break-not-supported');
    terminal.onBreak = () => Promise.reject(new Error('EIO'));
    expect(tag(await session.sendBreak())).toBe('session-not-running');
  });

  it('ST-14 ~? lists the sequences of the profile', async () => {
    const { sink, type } = await running({ escapeCharacter: '%' });
    type('%?');
    const [notice] = sink.notices;
    expect(notice?.kind === 'escape-help' && notice.sequences.map(({ keys }) => keys)).toEqual([
      '%.',
      '%B',
      '%Ctrl-Z',
      '%?',
      '%%',
    ]);
  });

  it('ST-15 a held tilde outlives a resize, a reply, a suspend and a refused chunk', async () => {
    const { terminal, session, type } = await running();
    type('~');
    await session.resize({ cols: 10, rows: 10 });
    session.input('reply', Buffer.from('\x1b[O'));
    session.suspend();
    expect(tag(type('x'))).toBe('session-suspended');
    await session.resume({ cols: 10, rows: 10 });
    type('x');
    await settle();
    expect(terminal.written).toBe('\x1b[O~x');
  });

  it('ST-17 can be switched off', async () => {
    const { terminal, type } = await running({ escapeCharacter: null });
    type('~.');
    expect(terminal.written).toBe('~.');
  });
});

describe('ST-13 suspended', () => {
  it('~^Z sends nothing, stops reading, refuses input; resume sends the size before anything else', async () => {
    const { terminal, session, sink, type } = await running();
    expect(tag(type('~\x1arest'))).toBe('session-suspended');
    expect(sink.last).toEqual({ kind: 'running', route: 'sandbox', suspended: true });
    terminal.print('later');
    expect(terminal.log).toEqual(['pause']);
    const resumed = session.resume({ cols: 90, rows: 30 });
    type('x');
    expect(tag(await resumed)).toBe('ok');
    expect(terminal.log).toEqual(['pause', 'resize 90x30', 'resume', 'write "x"']);
    expect(sink.text).toBe('later');
  });

  it('resumes although the size was not taken, and says that', async () => {
    const { terminal, session } = await running();
    session.suspend();
    terminal.onResize = () => Promise.reject(new Error('refused'));
    expect(tag(await session.resume({ cols: 90, rows: 30 }))).toBe('resize-failed');
    expect(session.state).toEqual({ kind: 'running', route: 'sandbox', suspended: false });
  });

  it('a program that ends while suspended is told', async () => {
    const { terminal, session, sink } = await running();
    session.suspend();
    terminal.print('bye');
    terminal.exit(exited(0));
    await session.closed;
    expect(sink.events).toEqual(['running', 'running', 'output:bye', 'releasing', 'ended']);
  });
});

describe('output credit', () => {
  it('B30 stops reading above the window and goes on at its share, losing nothing', async () => {
    const { terminal, session, sink } = await running();
    const chunk = new Uint8Array(100_000);
    for (let n = 0; n < 10; n++) terminal.print(chunk);
    expect(session.unparsedBytes).toBeLessThanOrEqual(OUTPUT_CREDIT.high + chunk.length);
    expect(terminal.reading).toBe(false);
    const resumeAt = OUTPUT_CREDIT.high * OUTPUT_CREDIT.resumeShare;
    session.parsed(sink.bytes - resumeAt - 1);
    expect(terminal.reading).toBe(false);
    session.parsed(sink.bytes - resumeAt);
    expect(terminal.reading).toBe(false); // It read on, and is above the high watermark again.
    expect(session.unparsedBytes).toBeGreaterThan(OUTPUT_CREDIT.high);
    for (let before = -1; before !== sink.bytes; session.parsed(sink.bytes)) before = sink.bytes;
    expect(sink.bytes).toBe(1_000_000);
    expect(terminal.reading).toBe(true);
  });

  it('B31 without any acknowledgement the end is told once, after the last byte', async () => {
    const { terminal, session, sink } = await running();
    terminal.print(new Uint8Array(OUTPUT_CREDIT.high + 1));
    terminal.print('the last');
    terminal.exit(exited(9));
    await session.closed;
    expect(sink.text.endsWith('the last')).toBe(true);
    expect(sink.events.slice(2)).toEqual(['releasing', 'ended']);
    expect(sink.last).toMatchObject({ outcome: exited(9), cause: 'program-ended' });
  });
});

describe('ST-18 routes', () => {
  it('nothing is read or typed while diverted, and nothing is lost or reordered', async () => {
    const { terminal, session, sink, type } = await running();
    terminal.print('a');
    const diversion = session.divert('prompt', () => expect.unreachable());
    terminal.print('b');
    expect(tag(type('~.'))).toBe('route-refuses-input');
    expect(tag(session.divert('host-process', () => {}))).toBe('route-refuses-input');
    expect(sink.text).toBe('a');
    terminal.print('c');
    if (diversion.ok) diversion.value.dispose();
    terminal.print('d');
    expect(sink.events).toEqual(['running', 'output:a', 'running', 'running', 'output:bcd']);
    expect(session.state).toMatchObject({ route: 'sandbox' });
    if (diversion.ok) diversion.value.dispose();
    expect(sink.states).toHaveLength(3);
  });

  it.each([
    ['suspended', (session: Session) => session.suspend()],
    [
      'out of credit',
      (_: Session, terminal: MemoryTerminal) => terminal.print(new Uint8Array(OUTPUT_CREDIT.high + 1)),
    ],
  ])('returning does not read on while the session is %s', async (_name, stop) => {
    const { terminal, session } = await running();
    stop(session, terminal);
    const diversion = session.divert('prompt', () => {});
    if (diversion.ok) diversion.value.dispose();
    expect(terminal.reading).toBe(false);
  });

  it('ST-20 ST-21 a program that ends meanwhile cancels the prompt before its last output is told', async () => {
    const { terminal, session, sink } = await running();
    session.divert('prompt', () => sink.notice({ kind: 'break', text: 'cancelled' }));
    terminal.print('last words');
    terminal.exit(exited(0));
    await session.closed;
    expect(sink.events).toEqual([
      'running',
      'running',
      'notice:break',
      'running',
      'output:last words',
      'releasing',
      'ended',
    ]);
  });

  it('ST-24 a release cancels the prompt first', async () => {
    const { terminal, session } = await running();
    session.divert('host-process', () => terminal.log.push('cancelled'));
    session.end('user');
    await session.closed;
    expect(terminal.log.filter((entry) => entry === 'cancelled' || entry === 'release')).toEqual([
      'cancelled',
      'release',
    ]);
  });
});

it('ST-24 a prompt that ends the session when it is cancelled does not end it twice', async () => {
  const { terminal, session, recorded } = await running();
  session.divert('prompt', () => session.end('deadline'));
  session.end('user');
  await session.closed;
  expect(recorded).toEqual(['releasing deadline', 'ended']);
  expect(terminal.log.filter((entry) => entry === 'release')).toHaveLength(1);
});

describe('ending', () => {
  it.each(['user', 'client-lost', 'host-closing', 'terminal-lost', 'deadline'] as const)(
    'ST-24 %s: intent recorded, released, recorded clean, told once, nothing admitted',
    async (cause) => {
      const { terminal, session, sink, recorded, type } = await running();
      expect(tag(session.end(cause))).toBe('ok');
      expect(tag(type('x'))).toBe('session-releasing');
      expect(tag(session.end('user'))).toBe('session-releasing');
      await session.closed;
      expect(recorded).toEqual([`releasing ${cause}`, 'ended']);
      expect(sink.events).toEqual(['running', 'releasing', 'ended']);
      expect(sink.last).toMatchObject({ cause, outcome: { kind: 'signalled', signal: 1 } });
      expect(terminal.log).toEqual(['release', 'pause']);
      expect(tag(session.end('user'))).toBe('session-not-running');
      expect(tag(type('x'))).toBe('session-not-running');
      expect(tag(await session.resize({ cols: 1, rows: 1 }))).toBe('session-not-running');
      expect(tag(session.suspend())).toBe('session-not-running');
    },
  );

  it('ST-21 output of a session in release still comes before its end, none after it', async () => {
    const { terminal, session, sink } = await running();
    terminal.onRelease = async () => {
      terminal.print('hangup');
      return { removed: true, steps: [] };
    };
    session.end('user');
    await session.closed;
    terminal.print('ghost');
    expect(sink.events).toEqual(['running', 'releasing', 'output:hangup', 'ended']);
  });

  it('B04 a resize under way when the session ends is no error', async () => {
    const { terminal, session } = await running();
    terminal.onResize = hang;
    const resized = session.resize({ cols: 1, rows: 1 });
    terminal.exit(exited(0));
    expect(tag(await resized)).toBe('ok');
  });

  it('a write that fails because the program has ended is told as the program’s end', async () => {
    const { terminal, session, sink, type } = await running();
    terminal.onWrite = () => Promise.reject(new Error('EIO'));
    type('x');
    await settle();
    expect(tag(type('y'))).toBe('session-not-running');
    terminal.exit(exited(4));
    await session.closed;
    expect(sink.last).toMatchObject({ cause: 'program-ended', outcome: exited(4) });
  });
});

describe('ST-25 an engine that does not answer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('a release that hangs needs attention, with the reason', async () => {
    const { terminal, session, sink, recorded } = await running();
    terminal.onRelease = hang;
    session.end('user');
    await vi.advanceTimersByTimeAsync(RELEASE_DEADLINE_MS + DRAIN_DEADLINE_MS);
    await session.closed;
    expect(sink.last).toMatchObject({
      kind: 'needs-attention',
      outcome: { kind: 'unknown' },
      release: { removed: false, reason: expect.stringContaining('10000 ms') },
    });
    expect(recorded).toEqual(['releasing user', 'needs-attention']);
    terminal.print('ghost');
    terminal.exit(exited(0));
    expect(sink.bytes).toBe(0);
  });

  it('a release that fails needs attention', async () => {
    const { terminal, session, sink } = await running();
    terminal.onRelease = () => Promise.reject(new Error('daemon gone'));
    session.end('user');
    await vi.advanceTimersByTimeAsync(DRAIN_DEADLINE_MS);
    await session.closed;
    expect(sink.last).toMatchObject({
      kind: 'needs-attention',
      release: { reason: expect.stringContaining('daemon gone') },
    });
  });

  it('a terminal that is lost while its program goes on is released as lost', async () => {
    const { terminal, session, sink, type } = await running();
    terminal.onWrite = () => Promise.reject(new Error('EIO'));
    type('x');
    await vi.advanceTimersByTimeAsync(DRAIN_DEADLINE_MS);
    await session.closed;
    expect(sink.last).toMatchObject({ kind: 'ended', cause: 'terminal-lost' });
  });
});

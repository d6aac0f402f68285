import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { ReplayEvent, Snapshot } from '../../../shared/transcripts/transcript.ts';
import { FakeTimers, settle } from '../testing/fake-timers.ts';
import {
  HeadlessScreen,
  ID,
  MemoryHost,
  output,
  replayHandlers,
  SIZE,
} from '../testing/memory-transcript.ts';
import { Player } from './player.ts';
import type { ReplayScreen } from './screen.ts';

/** Writes down what it is told; everything takes effect at once. */
class ListedScreen implements ReplayScreen {
  text = '';
  held = false;
  restores = 0;
  readonly released: string[] = [];
  hold() {
    this.held = true;
  }
  release() {
    this.held = false;
    this.released.push(this.text);
  }
  restore({ screen }: Snapshot) {
    this.restores += 1;
    this.text = screen;
  }
  write(data: Uint8Array | string) {
    this.text += typeof data === 'string' ? data : new TextDecoder().decode(data);
  }
  resize({ cols, rows }: { cols: number; rows: number }) {
    this.text += `[${cols}x${rows}]`;
  }
  async settled() {}
}

const EVENTS: readonly ReplayEvent[] = [
  output(100, 'a'),
  output(200, 'b'),
  { kind: 'resize', atMs: 300, size: { cols: 10, rows: 3 } },
  output(400, 'c'),
  { kind: 'input', atMs: 450, text: 'x' },
  output(9_000, 'd'),
];

function setUp({ events = EVENTS, durationMs = 10_000, pageOf = 2, snapshots = [] as Snapshot[] } = {}) {
  const host = new MemoryHost(replayHandlers(events, { pageOf, snapshots }));
  const screen = new ListedScreen();
  const timers = new FakeTimers();
  const player = new Player({
    api: host,
    transcript: { id: ID, durationMs },
    screen,
    timers,
    speed: 1,
    idleMs: null,
  });
  return { host, screen, timers, player };
}

describe('a player', () => {
  it('shows each event at its time', async () => {
    const { screen, timers, player } = setUp();
    player.seek(0, true);
    await timers.advance(150);
    expect(screen.text).toBe('a');
    await timers.advance(100);
    expect(screen.text).toBe('ab');
    await timers.advance(200);
    expect(screen.text).toBe('ab[10x3]c');
    expect(player.view.timeMs).toBe(450);
    await timers.advance(20_000);
    expect(screen.text).toBe('ab[10x3]cd');
    expect(player.view.state).toEqual({ kind: 'paused', atMs: 10_000 });
  });

  it('plays as fast as it is told', async () => {
    const { screen, timers, player } = setUp();
    player.setSpeed(16);
    player.seek(0, true);
    await timers.advance(13);
    expect(screen.text).toBe('ab');
    player.setSpeed(0.5);
    await timers.advance(100);
    expect(screen.text).toBe('ab');
    await timers.advance(300);
    expect(screen.text).toBe('ab[10x3]c');
  });

  it('cuts a long wait to what is set', async () => {
    const { screen, timers, player } = setUp();
    player.setIdle(2_000);
    player.seek(400, true);
    await timers.advance(2_040);
    expect(screen.text).toBe('ab[10x3]c');
    await timers.advance(20);
    expect(screen.text).toBe('ab[10x3]cd');
    expect(player.view.timeMs).toBeGreaterThanOrEqual(9_000);
  });

  it('seeks forwards and back, paused, and shows nothing on the way', async () => {
    const { screen, player } = setUp();
    player.seek(9_500);
    await settle();
    expect(player.view.state).toEqual({ kind: 'paused', atMs: 9_500 });
    player.seek(250);
    await settle();
    expect(screen.released).toEqual(['ab[10x3]cd', 'ab']);
  });

  it('begins at the nearest snapshot', async () => {
    const snapshots = [{ atMs: 300, position: 3, size: SIZE, screen: 'SNAP' }];
    const { screen, player, host } = setUp({ snapshots });
    player.seek(420);
    await settle();
    expect(screen.text).toBe('SNAPc');
    expect(host.asked.find(({ verb }) => verb === 'transcripts.read')?.params).toEqual({
      id: ID,
      position: 3,
    });
  });

  it('while it is dragged shows only the last moment that was asked for', async () => {
    const { screen, player, host } = setUp();
    const { promise, resolve } = Promise.withResolvers<void>();
    host.gate = promise;
    for (const ms of [100, 9_500, 400, 250]) player.seek(ms);
    host.gate = null;
    resolve();
    await settle();
    expect(screen.released).toEqual(['ab']);
  });

  it('a short way forwards asks the host for no snapshot', async () => {
    const { screen, player, host } = setUp({ pageOf: 10 });
    player.seek(100);
    await settle();
    const before = host.asked.length;
    player.seekBy(110);
    await settle();
    expect(screen.text).toBe('ab');
    expect(host.asked.length).toBe(before);
  });

  it('steps from one visible event to the next and back', async () => {
    const { screen, player } = setUp();
    player.seek(0);
    await settle();
    const times: number[] = [];
    for (const direction of [1, 1, 1, 1, 1, -1, -1] as const) {
      await player.step(direction);
      await settle();
      times.push(player.view.timeMs);
    }
    // Back from 9000 leads to what was shown before it, input included.
    expect(times).toEqual([100, 200, 300, 400, 9_000, 450, 400]);
    expect(screen.text).toBe('ab[10x3]c');
  });

  it.each([
    ['a newer seek', (player: Player) => player.seek(250), { kind: 'paused', atMs: 250 }],
    ['playing on', (player: Player) => player.play(), { kind: 'playing' }],
  ])('a step that is answered late does not undo %s', async (_, act, state) => {
    const { player, host } = setUp();
    player.seek(400);
    await settle();
    const { promise, resolve } = Promise.withResolvers<void>();
    host.gate = promise;
    const stepping = player.step(1);
    host.gate = null;
    act(player);
    await settle();
    resolve();
    await stepping;
    await settle();
    expect(player.view.state).toMatchObject(state);
  });

  it('a step goes on from where a seek leads that is not answered yet', async () => {
    const { player, host } = setUp({ pageOf: 10 });
    player.seek(300);
    await settle();
    const { promise, resolve } = Promise.withResolvers<void>();
    host.gate = promise;
    player.seek(0);
    const stepping = player.step(1);
    host.gate = null;
    resolve();
    await stepping;
    await settle();
    expect(player.view.state).toEqual({ kind: 'paused', atMs: 100 });
  });

  it('a step that cannot be looked for says why, and does not go to the end', async () => {
    const { player, host } = setUp();
    host.request = async () => ({ ok: false, error: { tag: 'internal', message: 'Gone.' } }) as never;
    await player.step(1);
    await settle();
    expect(player.view.state).toEqual({ kind: 'failed', atMs: 0, message: 'Gone.' });
  });

  it('waits for what is not here yet and then goes on', async () => {
    const { screen, timers, player, host } = setUp({ pageOf: 1 });
    player.seek(100, true);
    await timers.advance(0);
    const { promise, resolve } = Promise.withResolvers<void>();
    host.gate = promise;
    await timers.advance(5_000);
    expect(player.view.state.kind).toBe('waiting');
    host.gate = null;
    resolve();
    await timers.advance(10_000);
    expect(screen.text).toBe('ab[10x3]cd');
  });

  it('says why it cannot go on, and tries again', async () => {
    const { screen, timers, player, host } = setUp();
    const request = host.request.bind(host);
    host.request = async () =>
      ({ ok: false, error: { tag: 'transcript-unknown', message: 'Gone.' } }) as never;
    player.seek(250);
    await settle();
    expect(player.view.state).toMatchObject({ kind: 'failed', message: 'Gone.' });
    expect(screen.held).toBe(false);
    host.request = request;
    player.play();
    await timers.advance(10);
    expect(screen.text).toBe('ab');
  });

  it('stays at the end of a transcript that is still recorded', async () => {
    const events = [output(100, 'a')];
    const { screen, player } = setUp({ events, durationMs: 100 });
    player.seek(100);
    await settle();
    for (const ms of [200, 300]) {
      events.push(output(ms, 'b'));
      player.extend(ms);
      await settle();
      expect(player.view.state).toEqual({ kind: 'paused', atMs: ms });
    }
    expect(screen.text).toBe('abb');
    // Whatever is selected and marked stays: the screen was not made anew.
    expect(screen.restores).toBe(1);
  });

  it('begins at the nearest snapshot again when much has come to the end that it is at', async () => {
    const events = [output(100, 'a')];
    const snapshots: Snapshot[] = [];
    const { screen, player } = setUp({ events, durationMs: 100, snapshots });
    player.seek(100);
    await settle();
    for (let n = 1; n <= 40; n += 1) events.push(output(100 + n, 'b'));
    snapshots.push({ atMs: 138, position: 39, size: SIZE, screen: 'SNAP' });
    player.extend(140);
    await settle();
    expect(screen.text).toBe('SNAPbb');
    expect(player.view.state).toEqual({ kind: 'paused', atMs: 140 });
  });

  it('reads on when a transcript that it shows in the middle has grown', async () => {
    const events = [output(100, 'a')];
    const { screen, timers, player } = setUp({ events, durationMs: 150 });
    player.seek(120);
    await settle();
    events.push(output(200, 'b'));
    player.extend(200);
    await settle();
    expect(screen.text).toBe('a');
    expect(screen.restores).toBe(1);
    player.play();
    await timers.advance(150);
    expect(screen.text).toBe('ab');
    expect(screen.restores).toBe(1);
  });

  it('shows what came while it was reading what seemed to be the end', async () => {
    const events: ReplayEvent[] = [];
    const { screen, player, host } = setUp({ events, durationMs: 0 });
    const { request } = host;
    // Answers are made before the transcript grows, and come after.
    let grown = false;
    host.request = async (...args) => {
      const answer = await request.apply(host, args);
      if (!grown) {
        grown = true;
        events.push(output(80, 'a'));
        player.extend(100);
      }
      return answer as never;
    };
    player.seek(0);
    await settle();
    expect(screen.text).toBe('a');
    expect(player.view.state).toEqual({ kind: 'paused', atMs: 100 });
  });

  it('holds only a bounded part of a long transcript', async () => {
    const events = Array.from({ length: 5_000 }, (_, n) => output(n * 1_000, 'x'));
    const { player, host } = setUp({ events, durationMs: 5_000_000, pageOf: 10 });
    player.seek(0);
    await settle();
    expect(host.asked.filter(({ verb }) => verb === 'transcripts.read').length).toBeLessThanOrEqual(5);
  });

  it('is silent once it is disposed', async () => {
    const { screen, timers, player } = setUp();
    player.seek(0, true);
    await timers.advance(150);
    player.dispose();
    await timers.advance(10_000);
    expect(screen.text).toBe('a');
  });
});

/** Full-screen drawings, colours, cursor moves, cut characters and sizes: what a seek could get wrong (B33). */
const drawings = fc.array(
  fc.oneof(
    fc
      .constantFrom(
        'abc',
        '\r\n',
        '\x1b[31mred\x1b[m',
        '\x1b[2;3H@',
        '\x1b[2J',
        '\x1b[?1049h',
        '\x1b[?1049l',
        '漢',
        '\tt',
      )
      .map((text) => ({ kind: 'output' as const, text })),
    fc
      .constantFrom('4pyT', '8J+Y', 'gAo=', '//4=')
      .map((base64) => ({ kind: 'output-bytes' as const, base64 })),
    fc
      .record({ cols: fc.integer({ min: 5, max: 40 }), rows: fc.integer({ min: 2, max: 12 }) })
      .map((size) => ({
        kind: 'resize' as const,
        size,
      })),
  ),
  { minLength: 1, maxLength: 25 },
);

it('after any seek the screen and its size are those of straight play (B33)', async () => {
  await fc.assert(
    fc.asyncProperty(
      drawings,
      fc.array(fc.integer({ min: 0, max: 26 }), { minLength: 1, maxLength: 4 }),
      async (drawn, moments) => {
        const events = drawn.map((event, n) => ({ ...event, atMs: (n + 1) * 100 }) as ReplayEvent);
        const player = (screen: ReplayScreen) =>
          new Player({
            api: new MemoryHost(replayHandlers(events, { pageOf: 3 })),
            transcript: { id: ID, durationMs: 10_000 },
            screen,
            timers: new FakeTimers(),
            speed: 1,
            idleMs: null,
          });
        const seeking = new HeadlessScreen();
        const seeker = player(seeking);
        for (const moment of moments) {
          seeker.seek(moment * 100);
          await vi.waitFor(() => expect(seeker.view.state).toEqual({ kind: 'paused', atMs: moment * 100 }), {
            interval: 1,
          });
          const straight = new HeadlessScreen();
          const once = player(straight);
          once.seek(moment * 100);
          await vi.waitFor(() => expect(once.view.state.kind).toBe('paused'), { interval: 1 });
          expect(seeking.text()).toBe(straight.text());
          once.dispose();
        }
        seeker.dispose();
      },
    ),
    { numRuns: 25 },
  );
});

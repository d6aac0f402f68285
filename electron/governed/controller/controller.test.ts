import { beforeEach, describe, expect, it } from 'vitest';
import { turns } from './testing/fake-clock.ts';
import { authority, type CallOptions, GovernedBench, MANIFEST, RUN } from './testing/governed-bench.ts';

let bench: GovernedBench;
beforeEach(() => {
  bench = new GovernedBench();
});

const ids = () => bench.controller.sessions.map(({ id }) => id);

describe('which session a call reaches', () => {
  it('E1 E2 the same run, binding, contract and manifest reach the same one, whatever else differs', async () => {
    expect((await bench.reply()).session_id).toBe('session-1');
    const again: CallOptions = { tool: 'box.say', text: 'say x', args: { ticket: '1' }, withinMs: 9_000 };
    expect((await bench.reply(again)).session_id).toBe('session-1');
  });

  it.each<[string, CallOptions]>([
    ['principal', { run: { principal: 'other' } }],
    ['run start', { run: { startedAt: '2026-01-01T00:00:01Z' } }],
    ['binding', { binding: 'other' }],
    ['contract', { contract: 'other' }],
    ['manifest', { manifest: { ...MANIFEST, name: 'other' }, tool: 'other.go' }],
  ])('E3 another %s has another one', async (_, options) => {
    await bench.reply();
    expect((await bench.reply(options)).session_id).toBe('session-2');
    expect((await bench.reply()).results.interaction_count).toBe(2);
  });

  it('E3 owner names that run into each other are told apart', async () => {
    await bench.reply({ run: { principal: 'a:b', startedAt: 'c' } });
    expect((await bench.reply({ run: { principal: 'a', startedAt: 'b:c' } })).session_id).toBe('session-2');
  });

  it('E9 the terms of the first call hold: later ones change none', async () => {
    await bench.reply({ session: { maxInteractions: 2 } });
    expect(await bench.reply({ session: { maxInteractions: 9 } })).toMatchObject({ session_closed: true });
  });

  it('E10.12 F12 X16 other file grants are refused; the old ones still work', async () => {
    const grants = () => ({ files: bench.files(), authority: authority() });
    await bench.reply(grants());
    const changed = bench.files({ max_file_bytes: 2048 });
    expect(await bench.failure({ files: changed, authority: authority(), contract: 'other' })).toEqual({
      rule: 'X16',
      text: 'terminal file grants changed; start a new run',
      session: 'lives',
    });
    expect(await bench.failure({ contract: 'other' })).toMatchObject({ rule: 'X16' });
    expect((await bench.reply(grants())).results.interaction_count).toBe(2);
    expect((await bench.reply({ ...grants(), contract: 'other' })).session_id).toBe('session-2');
  });
});

describe('the registry', () => {
  const run = (n: number, deadline?: number): CallOptions => ({
    run: { startedAt: String(n), ...(deadline === undefined ? {} : { deadline }) },
  });

  it('E4 X18 holds 16 sessions; ended ones count', async () => {
    for (let n = 0; n < 16; n++) await bench.reply(run(n));
    bench.workers.started[0]?.exit();
    await turns();
    expect(await bench.failure(run(16))).toEqual({
      rule: 'X18',
      text: 'interactive session capacity exhausted',
      session: 'none',
    });
    expect((await bench.reply(run(5))).results.interaction_count).toBe(2);
    expect(await bench.close({ ...RUN, startedAt: '7' })).toBeNull();
    expect((await bench.reply(run(16))).session_id).toBe('session-17');
  });

  it('E5 prunes what is past its run deadline and clean, and nothing else', async () => {
    const deadline = bench.clock.now() + 1_000;
    await bench.reply(run(1, deadline));
    await bench.reply(run(2, deadline));
    bench.workers.worker.exit(); // X44: not clean.
    await bench.reply(run(3));
    await bench.clock.advance(1_000);
    await bench.reply(run(3));
    expect(ids()).toEqual(['session-2', 'session-3']);
  });

  it('E6 E44 remembers a closed run until its deadline', async () => {
    await bench.reply(run(1, bench.clock.now() + 5_000));
    expect(await bench.close({ ...RUN, startedAt: '1' })).toBeNull();
    expect(bench.controller.sessions).toEqual([]);
    expect(await bench.failure(run(1))).toEqual({
      rule: 'X15',
      text: 'execution run is closed; no further terminal effects are allowed',
      session: 'ended',
    });
    await bench.clock.advance(5_000);
    await bench.reply(run(2));
    expect(bench.controller.closedRuns).toBe(0);
  });

  it('E6 a run without a session leaves no trace', () => {
    bench.controller.cancel({ principal: 'nobody', startedAt: '' });
    expect(bench.controller.closedRuns).toBe(0);
  });

  it('E6 one closed run more than 1024 shuts everything down', async () => {
    await bench.reply(run(-1));
    for (let n = 0; n < 1_024; n++) {
      // Given up at once: a session without a worker, the cheapest there is.
      void bench.controller.call(bench.callOf(run(n)), AbortSignal.abort());
      const closed = bench.controller.close({ ...RUN, startedAt: String(n) });
      await turns();
      expect((await closed).ok).toBe(true);
    }
    expect(bench.controller.closedRuns).toBe(1_024);
    expect((await bench.reply(run(-1))).results.interaction_count).toBe(2);
    const last = await bench.begin(run(2_000));
    bench.controller.cancel({ ...RUN, startedAt: '2000' });
    await bench.clock.advance(50);
    expect(last.isOver).toBe(true);
    expect(await bench.failure(run(-1))).toMatchObject({ rule: 'X15' });
    expect(await bench.failure(run(3_000))).toMatchObject({ rule: 'X15' });
    expect(bench.controller.sessions.every(({ acknowledgement }) => acknowledgement === 'clean')).toBe(true);
  }, 30_000);

  it('E7 disposing stops every worker', async () => {
    await bench.reply(run(1));
    await bench.reply(run(2));
    bench.controller.dispose();
    await turns();
    expect(bench.log.filter((entry) => entry === 'removed')).toHaveLength(2);
  });
});

describe('closing', () => {
  it('E44 cancelling returns at once and refuses later calls', async () => {
    await bench.reply();
    bench.controller.cancel(RUN);
    expect(bench.log).not.toContain('release');
    expect(await bench.failure()).toMatchObject({ rule: 'X15' });
    expect(bench.log.slice(-2)).toEqual(['release', 'removed']);
  });

  it('E45 waits for the removal', async () => {
    await bench.reply();
    const removed = Promise.withResolvers<void>();
    bench.workers.worker.onRelease = async () => {
      await removed.promise;
      return { removed: true, steps: [] };
    };
    let closed = false;
    const closing = bench.close().then((text) => {
      closed = true;
      return text;
    });
    await turns();
    expect(closed).toBe(false);
    removed.resolve();
    expect(await closing).toBeNull();
    expect(bench.controller.sessions).toEqual([]);
  });

  it('E45 X47 at most 20 s in all', async () => {
    await bench.reply();
    const never = Promise.withResolvers<never>();
    bench.workers.worker.onRelease = () => never.promise;
    const files = bench.files();
    files.onDiscard = () => never.promise;
    await bench.reply({ files, authority: authority(), binding: 'b' });
    const closing = bench.close();
    await bench.clock.advance(20_000);
    expect(await closing).toContain('terminal cleanup acknowledgement timed out');
  });

  it('E45 several errors are joined', async () => {
    await bench.reply();
    bench.workers.worker.exit();
    await turns();
    await bench.reply({ binding: 'b' });
    await bench.reply({ files: bench.files(), authority: authority(), binding: 'c' });
    expect(await bench.close()).toBe(
      'terminal exited while idle; terminal closed with unpublished file output; explicit finalization required',
    );
    expect(bench.controller.sessions).toHaveLength(3);
  });

  it('E42 X43 with an output that was not published, however it ended', async () => {
    const text = 'terminal closed with unpublished file output; explicit finalization required';
    await bench.reply({ files: bench.files(), authority: authority() });
    expect(await bench.close()).toBe(text);
    expect(bench.log.at(-1)).toBe('discard');
    await bench.reply({ files: bench.files(), authority: authority(), run: { startedAt: 'b' } });
    await bench.clock.advance(60_000);
    expect(await bench.close({ ...RUN, startedAt: 'b' })).toBe(text);
  });

  it('E46 fails again in the same way, and the entry stays', async () => {
    await bench.reply();
    bench.workers.worker.onRelease = async () => ({ removed: false, steps: [], reason: 'still there' });
    for (let round = 0; round < 2; round++) {
      expect(await bench.close()).toBe('terminal worker removal was not confirmed: still there');
      const all = await bench.controller.closeAll();
      expect(all).toMatchObject({
        ok: false,
        error: { text: 'terminal worker removal was not confirmed: still there' },
      });
      expect(bench.controller.sessions).toHaveLength(1);
    }
    expect(bench.log.filter((entry) => entry === 'release')).toHaveLength(1);
  });

  it('E46 X46 a session that broke is gone with its worker, and says so again and again', async () => {
    const { matcher } = bench.callOf();
    const readyMatches = (line: string) => {
      if (line !== '') throw new Error('no such class');
      return false;
    };
    expect(await bench.failure({ matcher: { ...matcher, readyMatches } })).toMatchObject({ rule: 'X23' });
    expect(bench.log).toEqual(['start', 'release', 'removed']);
    for (let round = 0; round < 2; round++)
      expect(await bench.close()).toBe(
        'terminal worker ended without cleanup acknowledgement: no such class',
      );
    expect(bench.controller.sessions).toHaveLength(1);
  });

  it('E47 X15 closing everything is for good', async () => {
    await bench.reply();
    expect(await bench.controller.closeAll()).toEqual({ ok: true, value: undefined });
    expect(await bench.failure({ run: { startedAt: 'new' } })).toMatchObject({ rule: 'X15' });
  });

  it('E48 a run that never had a session closes', async () => {
    expect(await bench.close()).toBeNull();
  });
});

describe('the transcript', () => {
  it('T1 T2 T4 is read by run and manifest while the session is there, and has what was said in order', async () => {
    await bench.reply();
    const { controller } = bench;
    const entries = controller.transcriptOf(RUN, 'box')?.entries ?? [];
    expect(entries.map(({ direction }) => direction)).toEqual(['System', 'Command', 'Response']);
    expect(entries[1]).toEqual({
      timestamp_ms: bench.clock.wall() - 80,
      direction: 'Command',
      content: 'go',
      command_name: 'box.go',
      duration_ms: null,
    });
    expect(controller.transcriptOf(RUN, 'other')).toBeNull();
    expect(controller.transcriptOf({ ...RUN, principal: 'other' }, 'box')).toBeNull();
    await bench.reply({ binding: 'b' });
    expect(controller.transcriptOf(RUN, 'box')).toBeNull();
    await bench.close();
    expect(controller.transcriptOf(RUN, 'box')).toBeNull();
  });

  it('tells every change of activity, in order', async () => {
    const seen: string[] = [];
    bench.controller.on('sessionChanged', ({ status }) => seen.push(status.activity.kind));
    await bench.reply();
    await bench.reply({ tool: 'box.save', text: 'save' });
    expect(seen).toEqual(['running', 'idle', 'running', 'publishing', 'closed']);
  });
});

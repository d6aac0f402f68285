import { beforeEach, describe, expect, it } from 'vitest';
import { commandReplySchema } from '../../../shared/governed/call.ts';
import { EngineError } from '../../sandbox/engine.ts';
import { FileError } from '../ports.ts';
import { turns } from './testing/fake-clock.ts';
import { authority, GovernedBench, MANIFEST, RUN } from './testing/governed-bench.ts';

let bench: GovernedBench;
beforeEach(() => {
  bench = new GovernedBench();
});

/** Starts the session and leaves it idle. Its worker then answers nothing by itself. */
async function ready(options: Parameters<GovernedBench['reply']>[0] = {}): Promise<void> {
  await bench.reply(options);
  bench.workers.worker.answer = () => null;
}

const entries = () =>
  bench.controller.sessions[0]?.transcript.entries.map(({ direction, content, command_name }) => [
    direction,
    content,
    command_name,
  ]);

describe('the start', () => {
  it('E13 comes with the first command: files, worker, prompt, then the command', async () => {
    await bench.reply({ files: bench.files(), authority: authority() });
    expect(bench.log).toEqual(['stage', 'start', 'write "go\\n"']);
    expect(bench.workers.specs).toMatchObject([
      { argv: ['/bin/box', '--quiet'], mounts: [{ target: 'out.csv' }], sessionId: 'session-1' },
    ]);
    await bench.reply({ files: bench.files(), authority: authority() });
    expect(bench.log.filter((entry) => entry === 'start')).toHaveLength(1);
  });

  it('F6 bounds the files of a manifest with grants', async () => {
    const filesystem = { read: [], create: 'out.csv', maxFileBytes: 77 };
    await bench.reply({
      manifest: { ...MANIFEST, filesystem },
      files: bench.files(),
      authority: authority(),
    });
    expect(bench.workers.specs[0]?.fileMaxBytes).toBe(77);
  });

  it('E13 X26 staging that fails ends the session with its own text, which is its cleanup error too', async () => {
    const files = bench.files();
    files.onStage = async () => {
      throw new FileError('F6', 'shared staging capacity exhausted');
    };
    expect(await bench.failure({ files, authority: authority() })).toEqual({
      rule: 'F6',
      text: 'shared staging capacity exhausted',
      session: 'ended',
    });
    expect(bench.log).toEqual(['stage']);
    expect(await bench.close()).toBe('shared staging capacity exhausted');
  });

  it('E15 a worker that does not start ends the session, which is its cleanup error too', async () => {
    bench.workers.onStart = async () => {
      throw new EngineError('open-failed', 'No namespaces here.');
    };
    expect(await bench.failure()).toMatchObject({ text: 'No namespaces here.', session: 'ended' });
    expect(await bench.close()).toBe('No namespaces here.');
  });

  it('E13 X26 no worker by the start deadline', async () => {
    const started = Promise.withResolvers<void>();
    bench.workers.onStart = (signal) => {
      signal.addEventListener('abort', () => started.reject(signal.reason));
      return started.promise;
    };
    const call = await bench.begin();
    await bench.clock.advance(4_999);
    expect(call.isOver).toBe(false);
    await bench.clock.advance(1);
    expect(call.text).toBe('terminal startup timed out');
    expect(await bench.close()).toBeNull();
  });

  it('E13 X26 no first prompt by the same deadline; what was seen is in the transcript (B19)', async () => {
    bench.workers.onStarted = (worker) => worker.print('password: ');
    const call = await bench.begin();
    await bench.clock.advance(5_000);
    expect(call.text).toBe('terminal startup timed out');
    expect(bench.log).toEqual(['start', 'release', 'removed']);
    expect(entries()).toEqual([['System', 'password: ', null]]);
    expect(await bench.close()).toBeNull();
  });

  it.each([
    ['stop', 'X24', 'terminal startup cancelled'],
    ['caller', 'X25', 'terminal caller cancelled during startup'],
  ])(
    'E15 %s: %s after the start has ended, and a worker that came up all the same is removed',
    async (who, _, text) => {
      const started = Promise.withResolvers<void>();
      bench.workers.onStart = () => started.promise;
      const caller = new AbortController();
      const call = await bench.begin({ signal: caller.signal });
      if (who === 'stop') bench.controller.cancel(RUN);
      else caller.abort();
      await turns();
      expect(call.isOver).toBe(false);
      started.resolve();
      await turns();
      expect(call.text).toBe(text);
      expect(bench.log).toEqual(['start', 'release', 'removed']);
    },
  );

  it('E15 X24 with the error of the start itself, which is the cleanup error', async () => {
    const started = Promise.withResolvers<void>();
    bench.workers.onStart = () => started.promise;
    const call = await bench.begin();
    bench.controller.cancel(RUN);
    started.reject(new EngineError('open-failed', 'disk full'));
    await turns();
    expect(call.text).toBe('terminal startup cancelled: disk full');
    expect(await bench.close()).toBe('disk full');
  });

  it('E15 X24 and X25 while the first prompt is waited for', async () => {
    bench.workers.onStarted = () => {};
    const first = await bench.begin();
    bench.controller.cancel(RUN);
    await turns();
    expect(first.text).toBe('terminal startup cancelled');
    const caller = new AbortController();
    const second = await bench.begin({ run: { startedAt: 'b' }, signal: caller.signal });
    caller.abort();
    await turns();
    expect(second.text).toBe('terminal caller cancelled during startup');
  });

  it('E34 X31 a program that ends before its first prompt', async () => {
    bench.workers.onStarted = (worker) => worker.exit();
    expect(await bench.failure()).toMatchObject({
      rule: 'X31',
      text: 'terminal closed before the ready prompt',
    });
    expect(await bench.close()).toBeNull();
  });

  it('E30 X30 too much before the first prompt', async () => {
    bench.workers.onStarted = (worker) => worker.print(`${'x'.repeat(1_000)}\n> `);
    expect(await bench.failure()).toMatchObject({ rule: 'X30' });
  });

  it('E16 T2 its text is System, no response and no interaction', async () => {
    bench.workers.onStarted = (worker) => {
      worker.answer = () => 'ok\r\n> ';
      worker.print('welcome\r\n> ');
    };
    const reply = await bench.reply();
    expect(reply.results).toMatchObject({ output: 'ok\r\n> ', interaction_count: 1 });
    expect(entries()).toEqual([
      ['System', 'welcome\r\n> ', null],
      ['Command', 'go', 'box.go'],
      ['Response', 'ok\r\n> ', 'box.go'],
    ]);
  });
});

describe('the deadlines', () => {
  it('E17 life: min(session timeout, worker limit) from its creation, however busy it is', async () => {
    await ready({ workerMaxMs: 10_000 });
    await bench.clock.advance(9_899);
    expect(bench.controller.sessions[0]?.status.activity).toEqual({ kind: 'idle' });
    await bench.clock.advance(1);
    expect(bench.controller.sessions[0]?.status.activity).toEqual({
      kind: 'closed',
      why: 'Its time was over.',
    });
    expect(await bench.failure()).toMatchObject({ rule: 'X17' });
    expect(bench.log.filter((entry) => entry === 'start')).toHaveLength(1);
  });

  it('E17 the run deadline ends the life', async () => {
    await ready({ run: { deadline: bench.clock.now() + 5_000 } });
    await bench.clock.advance(4_900);
    expect(bench.controller.sessions[0]?.accepting).toBe(false);
  });

  it('E18 idle: from the last successful reply, never renewed by output', async () => {
    await ready();
    await bench.clock.advance(59_000);
    bench.workers.worker.print('tick\r\n');
    await bench.clock.advance(939);
    expect(bench.controller.sessions[0]?.accepting).toBe(true);
    await bench.clock.advance(1);
    expect(bench.controller.sessions[0]?.status.activity).toMatchObject({ why: 'No command came in time.' });
  });

  it('E18 before the first success only life applies', async () => {
    await bench.call({ signal: AbortSignal.abort() });
    await bench.clock.advance(60_000);
    const session = bench.controller.sessions[0];
    expect(session?.status).toMatchObject({
      activity: { kind: 'idle' },
      idleLeftMs: null,
      lifeLeftMs: 539_900,
    });
    await bench.clock.advance(539_900);
    expect(session?.accepting).toBe(false);
    expect(bench.log).toEqual([]);
  });

  it('E19 X48 the response: five times output_wait_ms after the write', async () => {
    await ready();
    const call = await bench.begin();
    await bench.clock.advance(9_999);
    expect(call.isOver).toBe(false);
    await bench.clock.advance(1);
    expect(call.text).toBe('terminal response timed out');
    expect(bench.log.slice(-2)).toEqual(['release', 'removed']);
  });

  it('E19 the wait begins when the write is over', async () => {
    await ready();
    const written = Promise.withResolvers<void>();
    bench.workers.worker.onWrite = () => written.promise;
    const call = await bench.begin();
    await bench.clock.advance(9_000);
    written.resolve();
    await bench.clock.advance(9_000);
    expect(call.isOver).toBe(false);
    await bench.clock.advance(1_000);
    expect(call.text).toBe('terminal response timed out');
  });

  it('E24 X22 at once at the call deadline; the removal may take longer', async () => {
    await ready();
    const removed = Promise.withResolvers<void>();
    bench.workers.worker.onRelease = async () => {
      await removed.promise;
      return { removed: true, steps: [] };
    };
    const call = await bench.begin({ withinMs: 3_000 });
    await bench.clock.advance(3_000);
    expect(call.text).toBe('terminal interaction timed out; cleanup requested');
    expect(bench.log.at(-1)).toBe('release');
    removed.resolve();
    await turns();
    expect(bench.log.at(-1)).toBe('removed');
  });

  it('E22 X39 life ends in a command', async () => {
    await ready({ session: { sessionTimeoutMs: 4_000 } });
    const call = await bench.begin({ session: { sessionTimeoutMs: 4_000 } });
    await bench.clock.advance(4_000);
    expect(call.text).toBe('terminal interaction timed out');
  });

  it('E21 a command together with an expired idle timer loses', async () => {
    await ready();
    bench.clock.jump(60_000);
    const call = await bench.begin();
    expect(call.text).toBe('terminal session closed before a response');
    expect(bench.workers.worker.written).toBe('go\n');
  });

  it('B27 a changed wall clock ends nothing', async () => {
    await ready();
    bench.clock.wallOffset += 86_400_000;
    await bench.clock.advance(50_000);
    expect(bench.controller.sessions[0]?.accepting).toBe(true);
    bench.clock.wallOffset -= 2 * 86_400_000;
    await bench.clock.advance(10_000);
    expect(bench.controller.sessions[0]?.accepting).toBe(false);
  });
});

describe('the queue', () => {
  it('E8 runs commands one at a time, in order of arrival', async () => {
    await ready();
    const calls = [];
    for (const text of ['say 1', 'say 2', 'say 3', 'say 4'])
      calls.push(await bench.begin({ tool: 'box.say', text }));
    for (const [index, call] of calls.entries()) {
      expect(bench.workers.worker.written).toBe(
        `go\n${['say 1\n', 'say 2\n', 'say 3\n', 'say 4\n'].slice(0, index + 1).join('')}`,
      );
      expect(call.isOver).toBe(false);
      bench.workers.worker.print('> ');
      await bench.clock.advance(30);
      expect(call.now().ok).toBe(true);
    }
  });

  it('E8 X20 waits for a place until its own deadline', async () => {
    await ready();
    const running = await bench.begin();
    const queued = await bench.begin();
    const waiting = await bench.begin({ withinMs: 1_000 });
    await bench.clock.advance(999);
    expect(waiting.isOver).toBe(false);
    await bench.clock.advance(1);
    expect(waiting.text).toBe('session command expired while waiting for admission');
    expect([running.isOver, queued.isOver]).toEqual([false, false]);
  });

  it('E8 X21 X23 when the session ends meanwhile', async () => {
    await ready();
    const running = await bench.begin();
    const queued = await bench.begin();
    const waiting = await bench.begin();
    bench.workers.worker.exit();
    await turns();
    expect(running.text).toBe('terminal closed before the ready prompt');
    expect(queued.text).toBe('terminal session closed before a response');
    expect(waiting.text).toBe('terminal session closed before admission');
  });

  it('E23 X27 a queued command whose caller left is not written, and the idle timer goes on', async () => {
    await ready();
    await bench.begin();
    const caller = new AbortController();
    const queued = await bench.begin({ tool: 'box.say', text: 'say no', signal: caller.signal });
    const late = await bench.begin({ tool: 'box.say', text: 'say late', withinMs: 40 });
    caller.abort();
    await bench.clock.advance(50);
    expect(queued.text).toBe('terminal command expired before execution');
    expect(late.isOver).toBe(true);
    bench.workers.worker.print('> ');
    await bench.clock.advance(20);
    expect(bench.controller.sessions[0]?.status).toMatchObject({
      activity: { kind: 'idle' },
      idleLeftMs: 60_000,
    });
    expect(bench.workers.worker.written).toBe('go\ngo\n');
  });
});

describe('a command', () => {
  it('E25 sends exactly its text and one line feed', async () => {
    await ready();
    await bench.begin({ tool: 'box.say', text: 'say ｃat $(id) \u00a0 x' });
    expect(bench.workers.worker.written).toBe('go\nsay ｃat $(id) \u00a0 x\n');
  });

  it('E25 X35 a write that fails', async () => {
    await ready();
    bench.workers.worker.onWrite = async () => {
      throw new Error('gone');
    };
    expect(await bench.failure()).toMatchObject({ rule: 'X35', text: 'terminal write failed: gone' });
  });

  it('E25 X34 the start took all of its time: nothing is written', async () => {
    bench.controller.on('sessionCreated', ({ transcript }) => {
      const add = transcript.add.bind(transcript);
      transcript.add = (...entry) => {
        bench.clock.jump(20_000);
        return add(...entry);
      };
    });
    expect(await bench.failure()).toMatchObject({
      rule: 'X34',
      text: 'terminal authorization expired before write',
    });
    expect(bench.workers.worker.written).toBe('');
  });

  it('E25 T3 X33 the transcript has no room for it: nothing is written', async () => {
    bench.workers.onStarted = (worker) => worker.print(`${'x'.repeat(4_193_800)}\n> `);
    expect(await bench.failure({ session: { outputMaxBytes: 4_194_304 } })).toMatchObject({
      rule: 'X33',
      text: 'terminal transcript capacity exhausted',
    });
    expect(bench.workers.worker.written).toBe('');
  });

  it('T2 T3 X33 the transcript has no room for its response: the command stays without one', async () => {
    bench.workers.onStarted = (worker) => {
      worker.answer = () => `${'y'.repeat(600)}\n> `;
      worker.print(`${'x'.repeat(4_193_000)}\n> `);
    };
    expect(await bench.failure({ session: { outputMaxBytes: 4_194_304 } })).toMatchObject({ rule: 'X33' });
    expect(entries()?.map(([direction]) => direction)).toEqual(['System', 'Command']);
  });

  it.each([
    ['\r\n', 'x\r\n> ', true],
    ['the prompt alone', '>', true],
    ['E27 one line end after it', '> \r\n', true],
    ['E27 two line ends', '> \n\n', false],
    ['E27 more on its line', '> done', false],
    ['E27 more on a line after it', '> \r\ndone', false],
    ['E26 white space around it', '\t > \u00a0', true],
    ['E26 no whole match', '>>', false],
    ['E33 colours', '\x1b[1;32m>\x1b[0m ', true],
    ['E33 B19 private modes', '\x1b[?2004h> ', true],
    ['E33 B19 a title', '\x1b]0;box\x07> ', true],
  ])('E26 prompt: %s', async (_, output, isPrompt) => {
    await ready();
    const call = await bench.begin();
    bench.workers.worker.print(output);
    await bench.clock.advance(1_000);
    expect(call.isOver).toBe(isPrompt);
  });

  it('E26 B19 what only looked like the prompt for lack of its rest is none', async () => {
    await ready();
    const call = await bench.begin();
    bench.workers.worker.print('> ');
    await bench.clock.advance(19);
    bench.workers.worker.print('quoted\r\n');
    await bench.clock.advance(500);
    expect(call.isOver).toBe(false);
    bench.workers.worker.print('> ');
    await bench.clock.advance(20);
    expect(call.now()).toMatchObject({ ok: true, value: { results: { output: '> quoted\r\n> ' } } });
  });

  it('E19 a prompt seen in time is in time, though it has to settle', async () => {
    await ready();
    const call = await bench.begin();
    await bench.clock.advance(9_990);
    bench.workers.worker.print('> ');
    await bench.clock.advance(20);
    expect(call.now().ok).toBe(true);
  });

  it('E28 the output holds the prompt line and the line ends; the prompt is trimmed; an echo stays', async () => {
    await ready();
    const call = await bench.begin();
    bench.workers.worker.print('go\r\n\x1b[31ma\x1b[0m\r\nb\r> ');
    await bench.clock.advance(20);
    expect(call.now()).toMatchObject({
      value: { results: { output: 'go\r\na\r\nb\r> ', prompt: '>' } },
    });
  });

  it('E29 a prompt from before the write answers nothing: it was idle output', async () => {
    await ready();
    bench.workers.worker.print('> ');
    const call = await bench.begin();
    await bench.clock.advance(1_000);
    expect(call.isOver).toBe(false);
    expect(entries()?.slice(-2)).toEqual([
      ['System', '> ', null],
      ['Command', 'go', 'box.go'],
    ]);
  });

  it('E30 X30 counts the bytes of one wait: as many as permitted are fine', async () => {
    await ready();
    const fits = await bench.begin();
    bench.workers.worker.print(`${'x'.repeat(997)}\n> `);
    await bench.clock.advance(20);
    expect(fits.now().ok).toBe(true);
    const over = await bench.begin();
    bench.workers.worker.print(`${'x'.repeat(998)}\n> `);
    await turns();
    expect(over.text).toBe('terminal interaction output limit exceeded');
  });

  it('E31 X29 counts all bytes of the life, idle ones too, and comes before E30', async () => {
    await ready();
    const colours = '\x1b[0m'.repeat(16 * 1024);
    for (let n = 0; n < 159; n++) bench.workers.worker.print(colours);
    const call = await bench.begin();
    bench.workers.worker.print('x'.repeat(70_000));
    await turns();
    expect(call.text).toBe('terminal lifetime output limit exceeded');
  });

  it('E22 X37 stop, X38 caller gone, both after the removal', async () => {
    await ready();
    const stopped = await bench.begin();
    bench.controller.cancel(RUN);
    await turns();
    expect(stopped.text).toBe('terminal run cancelled');
    const run = { startedAt: 'b' };
    await bench.reply({ run });
    bench.workers.worker.answer = () => null;
    const caller = new AbortController();
    const left = await bench.begin({ run, signal: caller.signal });
    caller.abort();
    await turns();
    expect(left.text).toBe('terminal caller cancelled');
    expect(bench.log.slice(-2)).toEqual(['release', 'removed']);
  });

  it('E22 stop comes before the caller, both before a prompt that is there', async () => {
    await ready();
    const caller = new AbortController();
    const call = await bench.begin({ signal: caller.signal });
    bench.workers.worker.print('> ');
    caller.abort();
    bench.controller.cancel(RUN);
    await turns();
    expect(call.text).toBe('terminal run cancelled');
  });

  it('E34 X28 output that cannot be read', async () => {
    await ready();
    const call = await bench.begin();
    bench.workers.worker.breakReading('EIO');
    await turns();
    expect(call.text).toBe('terminal read failed: EIO');
  });

  it('E37 a removal that fails replaces the error', async () => {
    await ready();
    bench.workers.worker.onRelease = async () => ({ removed: false, steps: [], reason: 'still there' });
    const call = await bench.begin();
    bench.workers.worker.exit();
    await turns();
    expect(call.text).toBe('terminal worker removal was not confirmed: still there');
    expect(await bench.close()).toBe('terminal worker removal was not confirmed: still there');
  });

  it('2.8 E49 E50 the reply has these fields and no other', async () => {
    bench.workers.onStarted = (worker) => {
      worker.answer = () => 'oops\r\nerror> ';
      worker.print('> ');
    };
    const call = await bench.begin();
    await bench.clock.advance(40);
    const result = call.now();
    expect(result).toEqual({
      ok: true,
      value: {
        status: 'success',
        execution_status: 'prompt_observed',
        session_id: 'session-1',
        session_closed: false,
        created_files: [],
        file_publication: 'none',
        duration_ms: 20,
        timestamp: new Date(bench.clock.wall()).toISOString(),
        exit_code: null,
        stderr: '',
        results: {
          output: 'oops\r\nerror> ',
          prompt: 'error>',
          session_state: 'error',
          interaction_count: 1,
        },
      },
    });
    expect(commandReplySchema.safeParse(result.ok ? result.value : null).success).toBe(true);
  });

  it('E49 a failing statement at an unchanged prompt is ready', async () => {
    await ready();
    const call = await bench.begin();
    bench.workers.worker.print('ERROR: no such table\r\n> ');
    await bench.clock.advance(20);
    expect(call.now()).toMatchObject({ value: { results: { session_state: 'ready' } } });
  });
});

describe('counting', () => {
  it('E35 rises with each recorded response, from 1', async () => {
    expect((await bench.reply()).results.interaction_count).toBe(1);
    expect((await bench.reply()).results.interaction_count).toBe(2);
  });

  it('E36 the last permitted command closes the session; the next gets X17', async () => {
    const session = { maxInteractions: 2 };
    expect((await bench.reply({ session })).session_closed).toBe(false);
    expect(await bench.reply({ session })).toMatchObject({
      session_closed: true,
      execution_status: 'prompt_observed',
    });
    expect(bench.log.slice(-2)).toEqual(['release', 'removed']);
    expect(await bench.failure({ session })).toMatchObject({
      rule: 'X17',
      text: 'terminal session is closed; start a new run',
    });
    expect(await bench.close()).toBeNull();
  });

  it('E36 X41 with an unpublished output; close then says X43', async () => {
    const options = { session: { maxInteractions: 1 }, files: bench.files(), authority: authority() };
    expect(await bench.failure(options)).toMatchObject({
      rule: 'X41',
      text: 'terminal interaction limit reached with unpublished output; finalize before the limit',
      file: 'gone',
    });
    expect(await bench.close()).toBe(
      'terminal closed with unpublished file output; explicit finalization required',
    );
  });

  it('E36 a finalizing command as the last one still publishes', async () => {
    const reply = await bench.reply({
      session: { maxInteractions: 1 },
      files: bench.files(),
      authority: authority(),
      tool: 'box.save',
      text: 'save',
    });
    expect(reply.file_publication).toBe('published');
  });
});

describe('finalizing', () => {
  const save = { tool: 'box.save', text: 'save' };
  const withFile = () => ({ ...save, files: bench.files(), authority: authority() });

  it('E39 in order: prompt, worker stopped, removal confirmed, published, reply', async () => {
    const call = await bench.begin({ ...withFile() });
    await bench.clock.advance(100);
    expect(bench.log).toEqual([
      'stage',
      'start',
      'write "save\\n"',
      'release',
      'removed',
      'publish',
      'published',
      'discard',
    ]);
    expect(call.now()).toMatchObject({
      value: {
        execution_status: 'session_finalized',
        session_closed: true,
        file_publication: 'published',
        created_files: [{ path: 'out.csv', bytes: 3, sha256: 'a'.repeat(64) }],
        results: { prompt: '>', interaction_count: 1 },
      },
    });
    expect(await bench.close()).toBeNull();
  });

  it('E39 pending before it is published', async () => {
    expect(await bench.reply({ files: bench.files(), authority: authority() })).toMatchObject({
      file_publication: 'pending',
      created_files: [],
    });
  });

  it('E41 without an output: ends the session, none', async () => {
    expect(await bench.reply(save)).toMatchObject({
      execution_status: 'session_finalized',
      session_closed: true,
      file_publication: 'none',
      created_files: [],
    });
    expect(bench.log).toEqual(['start', 'write "save\\n"', 'release', 'removed']);
    expect(await bench.failure()).toMatchObject({ rule: 'X17' });
  });

  it('E39 nothing is published when the removal is not confirmed', async () => {
    const call = await bench.begin(withFile());
    bench.workers.worker.onRelease = async () => ({ removed: false, steps: [], reason: 'stuck' });
    await bench.clock.advance(100);
    expect(call.text).toContain('removal was not confirmed');
    expect(bench.log).not.toContain('publish');
  });

  it('E39 X31 a finalizing command that ends its program publishes nothing', async () => {
    bench.workers.onStarted = (worker) => worker.print('> ');
    const call = await bench.begin(withFile());
    await bench.clock.advance(20);
    bench.workers.worker.print('> ');
    bench.workers.worker.exit();
    await bench.clock.advance(100);
    expect(call.text).toBe('terminal closed before the ready prompt');
    expect(bench.log).toEqual(['stage', 'start', 'write "save\\n"', 'release', 'removed', 'discard']);
  });

  it.each(['stop', 'caller', 'deadline'])(
    'E39.5 X42 %s while the worker is being removed: nothing is published',
    async (who) => {
      const removed = Promise.withResolvers<void>();
      const caller = new AbortController();
      const call = await bench.begin({ ...withFile(), withinMs: 1_000, signal: caller.signal });
      bench.workers.worker.onRelease = async () => {
        await removed.promise;
        return { removed: true, steps: [] };
      };
      await bench.clock.advance(100);
      expect(bench.log.at(-1)).toBe('release');
      if (who === 'stop') bench.controller.cancel(RUN);
      else if (who === 'caller') caller.abort();
      else await bench.clock.advance(900);
      removed.resolve();
      await turns();
      expect(call.text).toBe(
        who === 'deadline'
          ? 'terminal interaction timed out; cleanup requested'
          : 'terminal finalization cancelled or expired before file publication',
      );
      if (who !== 'deadline') expect(call.now()).toMatchObject({ error: { file: 'gone' } });
      expect(bench.log).not.toContain('publish');
      expect(bench.log.at(-1)).toBe('discard');
      expect(await bench.close()).toContain('unpublished file output');
    },
  );

  it('E39 F8 the deadline passes before the file is put in place: the authority holds no more', async () => {
    const files = bench.files();
    let held: boolean[] = [];
    files.onPublish = async (given) => {
      held = [given.stillHolds()];
      bench.clock.jump(20_000);
      held.push(given.stillHolds());
      throw new FileError('X2', 'effect journal authority is closed or expired');
    };
    const call = await bench.begin({ ...save, files, authority: authority() });
    await bench.clock.advance(100);
    expect(held).toEqual([true, false]);
    expect(call.text).toBe('effect journal authority is closed or expired');
  });

  it('E39 E40 no reply before a publication that has begun is over, even past the deadline', async () => {
    const files = bench.files();
    const done = Promise.withResolvers<void>();
    files.onPublish = () => done.promise;
    const call = await bench.begin({ ...save, files, authority: authority() });
    await bench.clock.advance(30_000);
    expect(call.isOver).toBe(false);
    done.resolve();
    await turns();
    expect(call.now()).toMatchObject({ ok: true, value: { file_publication: 'published' } });
    expect(await bench.close()).toBeNull();
  });

  it('E39 F9 a publication that fails ends the session with its text, and what became of its file; close says X43', async () => {
    const files = bench.files();
    files.onPublish = async () => {
      throw new FileError('F9', 'filesystem output publication failed: exists', 'kept');
    };
    expect(await bench.failure({ ...save, files, authority: authority() })).toMatchObject({
      rule: 'F9',
      text: 'filesystem output publication failed: exists',
      file: 'kept',
    });
    expect(await bench.close()).toContain('unpublished file output');
  });

  it('E9 the word of the finalizing call publishes, not that of the first', async () => {
    await bench.reply({ files: bench.files(), authority: authority({ approvalId: 'first' }) });
    const ids: unknown[] = [];
    const files = bench.files();
    const first = bench.controller.sessions[0];
    expect(first?.accepting).toBe(true);
    await bench.reply({
      ...save,
      files,
      authority: authority({ approvalId: 'last', stillHolds: () => ids.push('asked') > 0 }),
    });
    expect(ids).not.toEqual([]);
  });
});

describe('between commands', () => {
  it('E32 output is System, chunk by chunk, and in no reply', async () => {
    await ready();
    bench.workers.worker.print('tick \x1b[1m1\x1b[0m\r\n');
    await turns();
    bench.workers.worker.print('> ');
    await turns();
    expect(entries()?.slice(-2)).toEqual([
      ['System', 'tick 1\r\n', null],
      ['System', '> ', null],
    ]);
    const call = await bench.begin();
    bench.workers.worker.print('done\r\n> ');
    await bench.clock.advance(20);
    expect(call.now()).toMatchObject({ value: { results: { output: 'done\r\n> ' } } });
  });

  it('E43 X44 a program that ends: silent, X17 for the next call, a failed close', async () => {
    await ready();
    bench.workers.worker.exit();
    await turns();
    expect(await bench.failure()).toMatchObject({ rule: 'X17' });
    expect(await bench.close()).toBe('terminal exited while idle');
  });

  it('E43 X45 output that cannot be read', async () => {
    await ready();
    bench.workers.worker.breakReading('EIO');
    await turns();
    expect(await bench.close()).toBe('terminal idle read failed: EIO');
  });

  it('E32 X29 output beyond the life limit', async () => {
    await ready();
    const colour = Buffer.from('\x1b[0m'.repeat(16 * 1024));
    for (let n = 0; n < 160; n++) bench.workers.worker.print(colour);
    await turns();
    expect(await bench.close()).toBe('terminal lifetime output limit exceeded');
  });

  it('E32 T3 X33 output that does not fit into the transcript', async () => {
    await ready();
    const text = 'x'.repeat(64 * 1024);
    for (let n = 0; n < 65; n++) bench.workers.worker.print(text);
    await turns();
    expect(await bench.close()).toBe('terminal transcript capacity exhausted');
    expect(bench.controller.sessions[0]?.transcript.bytes).toBeLessThanOrEqual(4_194_304);
  });

  it('E38 X17 a session is never started again under its key', async () => {
    await ready();
    await bench.clock.advance(60_000);
    for (let n = 0; n < 2; n++) expect(await bench.failure()).toMatchObject({ rule: 'X17' });
    expect(bench.workers.started).toHaveLength(1);
    expect((await bench.reply({ run: { startedAt: 'b' } })).session_id).toBe('session-2');
  });

  it('leaves no timer behind when everything is over', async () => {
    await ready();
    expect(await bench.close()).toBeNull();
    expect(bench.clock.alarms).toBe(0);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { turns } from './testing/fake-clock.ts';
import { authority, GovernedBench, RUN, type RunningCall } from './testing/governed-bench.ts';
import type { ScriptedFiles } from './testing/scripted-files.ts';

let bench: GovernedBench;
let files: ScriptedFiles;
let caller: AbortController;
/** Lets what the stage holds up go on. */
let goOn: () => void;
beforeEach(() => {
  bench = new GovernedBench();
  files = bench.files();
  caller = new AbortController();
});

function hold(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  goOn = resolve;
  return promise;
}

const save = () =>
  bench.begin({
    tool: 'box.save',
    text: 'save',
    files,
    authority: authority(),
    signal: caller.signal,
    withinMs: 2_000,
  });

/** How far the call gets, and what it says when its run is stopped, its caller leaves, its deadline passes meanwhile. */
const STAGES: readonly [
  string,
  () => Promise<RunningCall>,
  { stop: string; caller: string; deadline?: string },
][] = [
  [
    'while the files are staged',
    () => {
      files.onStage = hold;
      return save();
    },
    { stop: 'X24', caller: 'X25', deadline: 'X22' },
  ],
  [
    'while the worker starts',
    () => {
      bench.workers.onStart = hold;
      return save();
    },
    { stop: 'X24', caller: 'X25', deadline: 'X22' },
  ],
  [
    'before the first prompt',
    () => {
      bench.workers.onStarted = () => {};
      return save();
    },
    { stop: 'X24', caller: 'X25', deadline: 'X22' },
  ],
  ['while the first prompt settles', () => save(), { stop: 'X24', caller: 'X25' }],
  [
    'while the command is written',
    async () => {
      bench.workers.onStarted = (worker) => {
        worker.onWrite = hold;
        worker.print('> ');
      };
      const call = await save();
      await bench.clock.advance(20);
      return call;
    },
    { stop: 'X37', caller: 'X38', deadline: 'X22' },
  ],
  [
    'before its prompt',
    async () => {
      bench.workers.onStarted = (worker) => worker.print('> ');
      const call = await save();
      await bench.clock.advance(20);
      return call;
    },
    { stop: 'X37', caller: 'X38', deadline: 'X22' },
  ],
  [
    'while its prompt settles',
    async () => {
      const call = await save();
      await bench.clock.advance(20);
      return call;
    },
    { stop: 'X37', caller: 'X38' },
  ],
  [
    'while the worker is removed',
    async () => {
      const call = await save();
      bench.workers.worker.onRelease = async () => {
        await hold();
        return { removed: true, steps: [] };
      };
      await bench.clock.advance(40);
      return call;
    },
    { stop: 'X42', caller: 'X42', deadline: 'X22' },
  ],
];

const CASES = STAGES.flatMap(([stage, reach, rules]) =>
  Object.entries(rules).map(([what, rule]) => ({ stage, reach, what, rule })),
);

describe('cancellation at every stage', () => {
  it.each(CASES)(
    'E15 E22 E39 $what $stage: $rule, nothing published, nothing left',
    async ({ reach, what, rule }) => {
      goOn = () => {};
      const call = await reach();
      expect(call.isOver).toBe(false);
      if (what === 'stop') bench.controller.cancel(RUN);
      else if (what === 'caller') caller.abort();
      else await bench.clock.advance(2_000);
      await turns();
      goOn();
      await turns();
      expect(call.now()).toMatchObject({ ok: false, error: { rule, session: 'ended' } });
      expect(bench.log).not.toContain('publish');
      expect(bench.log.filter((entry) => entry === 'removed')).toHaveLength(bench.workers.started.length);
      expect(bench.log.at(-1)).toBe('discard');
      expect(await bench.close()).toBe(
        'terminal closed with unpublished file output; explicit finalization required',
      );
      expect(bench.clock.alarms).toBe(0);
    },
  );
});

it.each(['stop', 'caller', 'deadline'])(
  'E39 E40 %s while the file is published: it is over when that is',
  async (what) => {
    files.onPublish = hold;
    const call = await save();
    await bench.clock.advance(40);
    expect(bench.log.at(-1)).toBe('publish');
    if (what === 'stop') bench.controller.cancel(RUN);
    else if (what === 'caller') caller.abort();
    else await bench.clock.advance(2_000);
    await turns();
    expect(call.isOver).toBe(false);
    goOn();
    await turns();
    expect(call.now()).toMatchObject({ ok: true, value: { file_publication: 'published' } });
    expect(await bench.close()).toBeNull();
  },
);

it.each([
  ['queued', 'stop', 'X23'],
  ['queued', 'caller', 'X27'],
  ['queued', 'deadline', 'X27'],
  ['waiting', 'stop', 'X21'],
  ['waiting', 'caller', 'X20'],
  ['waiting', 'deadline', 'X20'],
])('E8 E23 while it is %s, %s: %s', async (stage, what, rule) => {
  bench.workers.onStarted = (worker) => worker.print('> ');
  await bench.begin();
  await bench.clock.advance(20);
  if (stage === 'waiting') await bench.begin();
  const call = await bench.begin({ signal: caller.signal, withinMs: 2_000 });
  if (what === 'stop') bench.controller.cancel(RUN);
  else if (what === 'caller') caller.abort();
  else await bench.clock.advance(2_000);
  await turns();
  expect(call.now()).toMatchObject({ ok: false, error: { rule } });
  expect(bench.workers.worker.written).toBe('go\n');
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processesWith } from '../../sandbox/testing/sandbox-shell.ts';
import { waitUntil } from '../../sandbox/wait.ts';
import { foldEntries } from '../../session/ledger-entries.ts';
import { readLedgers } from '../../session/testing/ledgers.ts';
import { ViewerFeed } from '../controller/viewer-feed.ts';
import type { PublicationAuthority } from '../ports.ts';
import { FolderFiles } from './testing/folder-files.ts';
import { exampleManifest, manifestOf, WorkerBench } from './testing/worker-bench.ts';

let bench: WorkerBench;
beforeEach(() => {
  bench = new WorkerBench();
});
afterEach(() => bench.close());

const until = async (condition: () => boolean) => expect(await waitUntil(condition, 20_000)).toBe(true);

const RUN = { principal: 'test', startedAt: '2026-01-01T00:00:00Z' };

/** A manifest around any program whose prompt is known. */
function manifestFor(startup: string, ready: string, session = ''): ReturnType<typeof manifestOf> {
  return manifestOf(`[tool]
name = "box"
version = "1"
mode = "session"
description = "A box"
timeout_seconds = 20
[session]
startup_command = ${JSON.stringify(startup)}
ready_pattern = '${ready}'
${session}
[session.commands.run]
pattern = '.+'
description = "Anything"
[output]
format = "text"
`);
}

describe('the report writer (example A)', () => {
  let files: FolderFiles;
  beforeEach(() => {
    files = new FolderFiles({ path: 'data/rates.csv', content: 'EUR,1\n' }, 'data/report.csv');
  });
  afterEach(() => files.close());

  const manifest = exampleManifest('report_writer');
  const authority: PublicationAuthority = {
    sessionId: 's',
    command: 'report_writer.save',
    approver: null,
    approvalId: null,
    stillHolds: () => true,
  };
  const call = (command: string, text: string) => bench.reply(manifest, command, text, { files, authority });

  it('E13 E26 E28 E39 reads, adds, counts, and publishes what it wrote', async () => {
    expect((await call('look', 'rates')).results).toMatchObject({
      output: 'EUR,1\r\nreport> ',
      prompt: 'report>',
    });
    expect((await call('add', 'add Kiel,12')).results.output).toBe('stored\r\nreport> ');
    expect(await call('add', 'add Bonn,7')).toMatchObject({
      file_publication: 'pending',
      session_closed: false,
    });
    expect((await call('look', 'count')).results).toMatchObject({
      output: '2\r\nreport> ',
      interaction_count: 4,
    });
    expect(await call('save', 'save-report')).toMatchObject({
      execution_status: 'session_finalized',
      session_closed: true,
      file_publication: 'published',
      created_files: [{ path: 'data/report.csv', bytes: 15 }],
      results: { output: 'saved\r\nreport> ', session_state: 'ready' },
    });
    expect(files.published).toBe('Kiel,12\nBonn,7\n');
    expect(await bench.call(manifest, 'look', 'count', { files, authority })).toMatchObject({
      ok: false,
      error: { rule: 'X17' },
    });
    expect(await bench.controller.close(RUN)).toEqual({ ok: true, value: undefined });
  });

  it('E42 X43 aborted: nothing is published, the staging is discarded', async () => {
    await call('add', 'add Kiel,12');
    expect(await bench.controller.close(RUN)).toMatchObject({ ok: false, error: { rule: 'X43' } });
    expect(files).toMatchObject({ published: null, discarded: true });
  });
});

describe('the Python prompt (example C)', () => {
  const manifest = exampleManifest('py_calc');

  it('E26 E41 keeps its state between commands, echoes nothing, and ends politely', async () => {
    expect((await bench.reply(manifest, 'assign', 'x = 6 * 7')).results.output).toBe('>>> ');
    expect((await bench.reply(manifest, 'show', 'x')).results).toMatchObject({
      output: '42\r\n>>> ',
      prompt: '>>>',
    });
    expect((await bench.reply(manifest, 'show', 'nope')).results.output).toContain('NameError');
    expect(await bench.reply(manifest, 'close', 'finished = 1')).toMatchObject({
      execution_status: 'session_finalized',
      file_publication: 'none',
    });
    expect(await bench.controller.close(RUN)).toEqual({ ok: true, value: undefined });
  });
});

describe('real programs', () => {
  it('E37 X37 a daemon that left its session by setsid is gone when the run is cancelled in a command', async () => {
    const marker = `governed-${process.pid}-left`;
    const manifest = manifestFor('/bin/sh -i', '[$#]');
    const script = `setsid sh -c 'trap "" HUP TERM; while :; do sleep 1; done' ${marker} &`;
    await bench.reply(manifest, 'run', script);
    await until(() => processesWith(marker).length > 0);
    const running = bench.call(manifest, 'run', 'sleep 1000');
    const { controller } = bench;
    await until(() => controller.sessions[0]?.status.activity.kind === 'running');
    controller.cancel(RUN);
    expect(await running).toMatchObject({ ok: false, error: { rule: 'X37' } });
    expect(processesWith(marker)).toEqual([]);
  });

  it('E15 X24 a run that is cancelled while its worker starts leaves nothing', async () => {
    const marker = `governed-${process.pid}-starting`;
    const manifest = manifestFor(`/bin/sh -c "sleep 1000; : ${marker}"`, '[$#]');
    const starting = bench.call(manifest, 'run', 'x');
    await until(() => processesWith(marker).length > 0);
    bench.controller.cancel(RUN);
    expect(await starting).toMatchObject({ ok: false, error: { rule: 'X24' } });
    expect(processesWith(marker)).toEqual([]);
    expect(await bench.controller.close(RUN)).toEqual({ ok: true, value: undefined });
    expect(foldEntries(readLedgers(bench.ledger.folder))).toMatchObject([{ last: 'clean' }]);
  });

  it('E34 X31 a program that ends in a command, E43 X44 one that ends between', async () => {
    const manifest = manifestFor('/bin/sh -i', '[$#]');
    expect(await bench.call(manifest, 'run', 'exit')).toMatchObject({ ok: false, error: { rule: 'X31' } });
    expect(await bench.controller.close(RUN)).toEqual({ ok: true, value: undefined });
    const other = { run: { principal: 'other', startedAt: '1', deadline: Number.MAX_SAFE_INTEGER } };
    await bench.reply(manifest, 'run', '(sleep 0.3; kill -9 $$) &', other);
    const [session] = bench.controller.sessions;
    await session?.acknowledged;
    expect(session?.acknowledgement).toMatchObject({ rule: 'X44' });
  });

  it('E30 X30 a flood ends the session', async () => {
    const manifest = manifestFor('/bin/sh -i', '[$#]', 'interaction = { output_max_bytes = 65536 }');
    expect(await bench.call(manifest, 'run', 'yes')).toMatchObject({ ok: false, error: { rule: 'X30' } });
  });

  it('E31 E30 a viewer that never acknowledges does not hold a command up', async () => {
    const seen: number[] = [];
    const viewer = new ViewerFeed({ output: (bytes) => seen.push(bytes.length), ended: () => {} });
    const manifest = manifestFor(
      '/bin/sh -i',
      '[$#]',
      'interaction = { output_max_bytes = 4194304, output_wait_ms = 4000 }',
    );
    const reply = await bench.reply(manifest, 'run', 'head -c 3000000 /dev/zero | tr "\\0" x; echo', {
      viewer,
    });
    expect(reply.results.output.length).toBeGreaterThan(3_000_000);
    expect(seen.reduce((sum, length) => sum + length, 0)).toBeLessThan(700_000);
  });

  it.each([
    ['bash', '/bin/bash --norc --noprofile -i', 'bash-[0-9.]+[$#]'],
    [
      'bash with the colours of its start-up file',
      `/bin/bash --noprofile --rcfile /dev/null -i`,
      'u@airlock:/work[$]',
    ],
    ['dash', '/bin/dash -i', '[$#]'],
    ['cat, whose prompt is what it is given', '/bin/sh -c "echo ready; exec cat"', 'ready'],
  ])('B19 E26 the prompt of %s is seen', async (name, startup, ready) => {
    const manifest = manifestFor(startup, ready);
    const text = name.startsWith('cat') ? 'ready' : 'echo one two';
    const reply = await bench.reply(manifest, 'run', text);
    // E28: from the first byte on, so nothing was echoed.
    expect(reply.results.output).toMatch(name.startsWith('cat') ? /^ready\r\n$/ : /^one two\r\n/);
    expect(reply.duration_ms).toBeLessThan(5_000);
  });

  it('B19 E33 a prompt with all the trimmings of an interactive shell is seen', async () => {
    const prompt = String.raw`\e]0;box\a\e[?2004h\e[1;32mbox\e[0m$ \e[K`;
    const startup = `/bin/sh -c 'while printf "${prompt.replaceAll('\\e', '\\033').replaceAll('\\a', '\\007').replaceAll('\\', '\\\\')}"; read -r line; do printf "\\\\033[?2004l\\\\r"; echo "$line"; printf "unfinished\\\\033[7m%%\\\\033[27m%79s\\\\r \\\\r\\\\r\\\\033[0m\\\\033[K\\\\033[J" ""; done'`;
    const manifest = manifestFor(startup, 'box[$]');
    expect((await bench.reply(manifest, 'run', 'hello')).results).toMatchObject({ prompt: 'box$' });
    expect((await bench.reply(manifest, 'run', 'again')).results.output).toContain('again\r\n');
  });

  it('X26 a program without a prompt says so in time, and its words are in the transcript', async () => {
    const manifest = manifestFor(
      '/bin/sh -c "echo Password:; exec sleep 1000"',
      '[$]',
      'startup_timeout_seconds = 2',
    );
    expect(await bench.call(manifest, 'run', 'x')).toMatchObject({ ok: false, error: { rule: 'X26' } });
    expect(bench.controller.sessions[0]?.transcript.entries).toMatchObject([
      { direction: 'System', content: 'Password:\r\n' },
    ]);
  });
});

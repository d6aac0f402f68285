import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn as spawnPty } from '@lydell/node-pty';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SignedAuditLog } from './audit/audit-log.ts';
import { Workbench } from './publication/testing/workbench.ts';
import { RECORDING_ID, type Step, writeRecording } from './transcripts/exchange/testing/recordings.ts';
import { IndexKeeper } from './transcripts/library/index/index-keeper.ts';

const CLI = new URL('./cli.ts', import.meta.url).pathname;
const OTHER_ID = '7e0c2a2e-8f0a-4f6e-9a53-0d9f1f4a7b10';

let root: string;
let dataDir: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'airlock-transcripts-'));
  dataDir = join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true }));

const record = (steps: readonly Step[], id = RECORDING_ID) =>
  writeRecording(join(dataDir, 'transcripts', id), steps);

async function airlock(...args: string[]) {
  const child = spawn(process.execPath, [CLI, 'transcripts', ...args, '--data-dir', dataDir], { cwd: root });
  const said = { output: '', errors: '' };
  child.stdout.on('data', (chunk) => {
    said.output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.errors += chunk;
  });
  const [code] = await once(child, 'close');
  return { ...said, code: code as number };
}
const json = ({ output }: { output: string }) => JSON.parse(output);

describe('airlock transcripts', () => {
  it('list makes nothing where nothing was recorded', async () => {
    expect(await airlock('list')).toEqual({ output: 'No transcripts.\n', errors: '', code: 0 });
    expect(existsSync(dataDir)).toBe(false);
  });

  it('finds what was recorded without an index, and a damaged one is no hindrance', async () => {
    record(['one needle\r\n']);
    record(['two\r\n'], OTHER_ID);
    const index = join(dataDir, 'transcripts', 'index.sqlite');
    expect(json(await airlock('list', '--json'))).toMatchObject({ total: 2, more: false, indexing: 0 });
    writeFileSync(index, 'no database at all');
    const found = await airlock('search', 'NEEDLE', '--json');
    expect(json(found)).toMatchObject({
      transcripts: [
        { id: RECORDING_ID, hits: [{ line: 0, text: 'one needle', matches: [{ start: 4, end: 10 }] }] },
      ],
      hitCount: 1,
    });
    expect(found.code).toBe(0);
    expect(await airlock('search', 'thread')).toMatchObject({ output: 'Nothing was found.\n', code: 1 });
  });

  it('reads beside a host that keeps the index', async () => {
    record(['one needle\r\n']);
    const host = new IndexKeeper({
      ...{ folder: join(dataDir, 'transcripts'), changed: () => {} },
      report: (fault) => expect.fail(String(fault)),
    });
    await host.idle();
    const { output, code } = await airlock('search', 'needle', '--profile', 'work', '--from', '2023-11-14');
    expect(output).toMatch(new RegExp(`^${RECORDING_ID}  2023-11-14 22:13 .*\n    00:00.000  one needle\n$`));
    expect(code).toBe(0);
    expect((await airlock('search', 'needle', '--profile', 'other')).code).toBe(1);
    host.dispose();
  });

  it('export never replaces a file, says what it removed, and what it could not', async () => {
    record(['\x1b#8'], OTHER_ID);
    const filled = await airlock('export', '7e0c', '--redact', 'E{10}', '--json');
    expect([filled.code, json(filled).remaining]).toEqual([
      3,
      [{ rule: 'E{10}', atMs: 0, shown: 'EE… (10 characters)' }],
    ]);

    record(['key sk_abc\r\n', 'a\x1b[3;6Hsec1\x1b[3;3Hsk_\r\n']);
    const wish = ['export', '5d0c', '--redact', 'sk_\\w+', '--redact-text', 'key'];
    const made = await airlock(...wish, '--json');
    expect(json(made)).toMatchObject({
      ...{ id: RECORDING_ID, format: 'cast', output: join(root, 'airlock-5d0c2a2e.cast'), removedCount: 3 },
      remaining: [],
    });
    expect(made.code).toBe(0);
    const file = readFileSync(join(root, 'airlock-5d0c2a2e.cast'), 'utf8');
    expect(file).toContain('███ ██████');
    const again = await airlock(...wish);
    expect([again.code, again.errors]).toEqual([
      2,
      expect.stringMatching(/exists already, and nothing was written/),
    ]);
    expect(readFileSync(join(root, 'airlock-5d0c2a2e.cast'), 'utf8')).toBe(file);
    const text = await airlock(...wish, '--format', 'text', '--output', 'x.txt');
    expect([text.code, readFileSync(join(root, 'x.txt'), 'utf8')]).toEqual([0, '███ ██████\na\n  ███████\n']);
  });

  const costly = Array.from({ length: 32 }, () => ['--redact', '(?i)\\w{1,131}x']).flat();

  it('export ends cleanly when it is interrupted', async () => {
    record(Array.from({ length: 40 }, () => 'a'.repeat(40_000)));
    const output = join(root, 'made.cast');
    const args = [CLI, 'transcripts', 'export', '5d0c', ...costly, '--output', output, '--data-dir', dataDir];
    const child = spawn(process.execPath, args, { cwd: root });
    await vi.waitFor(() => expect(existsSync(output)).toBe(true), { timeout: 20_000 });
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(readdirSync(root)).toEqual(['data']);
  });

  it('export says on a terminal how far it is, and Ctrl-C ends it', async () => {
    record(Array.from({ length: 40 }, () => 'a'.repeat(40_000)));
    const args = [CLI, 'transcripts', 'export', '5d0c', ...costly, '--data-dir', dataDir];
    const terminal = spawnPty(process.execPath, args, { cwd: root, cols: 80, rows: 24 });
    let shown = '';
    terminal.onData((data) => {
      shown += data;
    });
    const ended = new Promise<{ exitCode: number }>((resolve) => terminal.onExit(resolve));
    await vi.waitFor(() => expect(shown).toMatch(/Exporting… \d+ % \(\d+\.\d of \d+\.\d MiB\)/), {
      timeout: 20_000,
    });
    terminal.write('\x03');
    expect(await ended).toMatchObject({ exitCode: 130 });
    expect(readdirSync(root)).toEqual(['data']);
  });

  it('export leaves a file that is there as it is', async () => {
    record(['one']);
    const output = join(root, 'there.cast');
    writeFileSync(output, 'mine');
    expect(await airlock('export', '5d0c', '--output', output)).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/exists already, and nothing was written/),
    });
    expect(readFileSync(output, 'utf8')).toBe('mine');
    expect(
      await airlock('export', '5d0c', '--output', join(root, 'new.cast'), '--redact', '('),
    ).toMatchObject({
      code: 2,
    });
    expect(existsSync(join(root, 'new.cast'))).toBe(false);
  });

  it('prune shows what the rules of the settings delete, and deletes it only when told to, recorded', async () => {
    const settings = (keepDays: number) =>
      writeFileSync(
        join(dataDir, 'settings.json'),
        JSON.stringify({ version: 1, transcripts: { keepDays }, profiles: [{ id: 'shell', name: 'Shell' }] }),
      );
    record(['one']);
    record(['two'], OTHER_ID);
    settings(36_500);
    expect(await airlock('prune')).toEqual({ output: 'Nothing would go now.\n', errors: '', code: 0 });
    settings(1);
    const shown = await airlock('prune', '--dry-run');
    expect(shown.output).toMatch(
      /Older than 1 day\.\n(?:.*\n)*2 transcripts, \d+ bytes would go\. Nothing was deleted/,
    );
    const preview = json(await airlock('prune', '--json'));
    expect(preview).toMatchObject({
      deleted: false,
      goes: expect.arrayContaining([expect.objectContaining({ id: RECORDING_ID, why: 'Older than 1 day.' })]),
    });
    expect(readdirSync(join(dataDir, 'transcripts'))).toEqual(
      expect.arrayContaining([RECORDING_ID, OTHER_ID]),
    );
    expect(existsSync(join(dataDir, 'audit'))).toBe(false);

    expect(await airlock('prune', '--yes', '--json')).toMatchObject({ code: 0, errors: '' });
    expect(readdirSync(join(dataDir, 'transcripts'))).not.toContain(RECORDING_ID);
    expect(readdirSync(join(dataDir, 'transcripts'))).not.toContain(OTHER_ID);
    const log = readFileSync(join(dataDir, 'audit', 'log.jsonl'), 'utf8');
    expect(log).toContain('transcripts.deletion-ordered');
    expect(log).toContain(RECORDING_ID);
    expect(json(await airlock('list', '--json'))).toMatchObject({ total: 0 });
  });

  it('prune deletes nothing where it cannot record that, or does not know the rules', async () => {
    record(['one']);
    const file = join(dataDir, 'settings.json');
    writeFileSync(file, '{"version": 1, "transcripts": {"keepDays": 0}}');
    expect(await airlock('prune', '--yes')).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/Nothing was deleted: .* transcripts\.keepDays: /),
    });
    writeFileSync(file, '{"version": 1, "transcripts": {"keepDays": 1}}');
    const other = await SignedAuditLog.open(dataDir);
    expect(await airlock('prune', '--yes')).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/Nothing was deleted: that could not be recorded/),
    });
    await other.close();
    expect((await airlock('prune', '--yes', '--dry-run')).code).toBe(2);
    expect(readdirSync(join(dataDir, 'transcripts'))).toContain(RECORDING_ID);
  });

  it('delete takes a damaged one too, follows no link, and does nothing without --yes', async () => {
    record(['one\r\n']);
    record(['two\r\n'], OTHER_ID);
    const file = join(dataDir, 'transcripts', OTHER_ID, '0001.cast');
    const outside = join(root, 'outside.cast');
    renameSync(file, outside);
    symlinkSync(outside, file);
    expect((await airlock('list')).output).toContain('Cannot be read: 0001.cast is a symbolic link');
    expect(await airlock('delete', '7e0c')).toMatchObject({
      output: `${OTHER_ID}\n1 transcript would go. Nothing was deleted; --yes deletes them for good.\n`,
    });
    expect(await airlock('delete', '7e0c', 'ffff', '--yes')).toMatchObject({ code: 1 });
    expect(existsSync(file)).toBe(true);
    expect(json(await airlock('delete', '7e0c', '--yes', '--json'))).toEqual({
      goes: [OTHER_ID],
      deleted: true,
    });
    expect(readdirSync(join(dataDir, 'transcripts'))).not.toContain(OTHER_ID);
    expect(existsSync(outside)).toBe(true);
    expect(json(await airlock('list', '--json'))).toMatchObject({ total: 1 });
  });

  it('delete takes no empty id and no short one', async () => {
    record(['one']);
    for (const id of ['', '5d0'])
      expect(await airlock('delete', id, '--yes')).toMatchObject({
        code: 2,
        errors: `error: “${id}” is too short: write at least 4 characters of the id.\n`,
      });
    expect(readdirSync(join(dataDir, 'transcripts'))).toContain(RECORDING_ID);
  });

  it('says in words what is wrong', async () => {
    record(['one']);
    expect(await airlock('show', 'ffff')).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/no transcript has the id ffff/),
    });
    expect(await airlock('export', '5d0c', '--redact', '(')).toMatchObject({
      code: 2,
      errors: 'error: “(” is no regular expression: unclosed group\n',
    });
    expect(await airlock('list', '--from', 'yesterday')).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/It must be a date/),
    });
  });

  it('show leads from a request to its receipt', async () => {
    const bench = new Workbench();
    try {
      ({ dataDir } = bench);
      await bench.start();
      const authority = await bench.approved('data/report.csv', RECORDING_ID);
      await (await bench.staged('a,1\n')).publish(authority);
      const [publication] = bench.store.list();
      if (publication?.state !== 'published') throw new Error('nothing was published');
      const { receipt } = publication;
      const approvalId = receipt.approvalId ?? '';
      const { id: publicationId, path } = receipt;
      record([
        { moment: { kind: 'approval-requested', label: 'asked', approvalId } },
        { moment: { kind: 'approval-decided', label: 'yes', approvalId, outcome: 'approved' } },
        {
          moment: {
            kind: 'command-end',
            label: 'done',
            command: 'report_writer.save',
            status: 'session_finalized',
          },
        },
        { moment: { kind: 'publication', label: 'out', publicationId, receiptId: receipt.id, path } },
      ]);
      const shown = json(await airlock('show', RECORDING_ID, '--json'));
      expect(shown).toMatchObject({
        transcript: { id: RECORDING_ID, approvals: 1, receipts: 1 },
        links: [
          {
            ...{ approvalId, requestedAtMs: 0, decision: { atMs: 100, outcome: 'approved' } },
            outcome: { atMs: 200, command: 'report_writer.save', status: 'session_finalized' },
            publications: [{ atMs: 300, publicationId, path, receiptId: receipt.id }],
            receiptIds: [receipt.id],
          },
        ],
        receipts: [receipt],
        auditBroken: null,
      });
      const { output } = await airlock('show', RECORDING_ID);
      expect(output).toContain(
        `approved 00:00.100  →  Session finalized: report_writer.save 00:00.200  →  receipt ${receipt.id}`,
      );
    } finally {
      await bench.end();
    }
  });
});

import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CastEvent } from '../../cast/events.ts';
import { readEvents } from '../../cast/reader.ts';
import { playedByAsciinema } from '../../cast/testing/asciinema-player.ts';
import { makeExport } from '../export/make-export.ts';
import { writeRecording } from '../testing/recordings.ts';
import { makeImport } from './make-import.ts';

let root: string;
let folder: string;
let path: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'airlock-import-'));
  folder = join(root, 'transcripts');
  path = join(root, 'foreign.cast');
  mkdirSync(folder);
});
afterEach(() => rmSync(root, { recursive: true }));

async function imported(file: string | Buffer, segmentMaxBytes?: number) {
  writeFileSync(path, file);
  const id = randomUUID();
  const made = await makeImport({ path, fileName: 'dir/foreign.cast', id, folder }, segmentMaxBytes);
  if (!made.ok) throw new Error(made.error);
  const events = [...readEvents(join(folder, id))];
  const [header] = events;
  if (header?.kind !== 'header') throw new Error('no header');
  return { id, summary: made.value, header: header.header, events: events.slice(1) };
}

async function refusal(file: string | Buffer): Promise<string> {
  writeFileSync(path, file);
  const made = await makeImport({ path, fileName: 'foreign.cast', id: randomUUID(), folder });
  expect(readdirSync(folder)).toEqual([]);
  return made.ok ? 'taken' : made.error;
}

const told = (events: readonly CastEvent[]) =>
  events.map((event) => {
    if (event.kind === 'output' || event.kind === 'input') return [event.atMs, event.kind, event.text];
    if (event.kind === 'resize') return [event.atMs, 'resize', `${event.size.cols}x${event.size.rows}`];
    if (event.kind === 'moment') return [event.atMs, event.moment.kind, event.moment.label];
    return [event.atMs, event.kind, event.kind === 'exit' ? event.status : ''];
  });
const file = (...lines: unknown[]) =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

const V1 = {
  version: 1,
  width: 80,
  height: 24,
  duration: 1.5,
  command: '/bin/zsh',
  title: 'old',
  env: { TERM: 'xterm', SHELL: '/bin/zsh' },
  stdout: [
    [0.25, 'a'],
    [1.25, 'b😀'],
  ],
};
const V2 = [
  {
    version: 2,
    width: 80,
    height: 24,
    timestamp: 1_504_467_315,
    env: { TERM: 'xterm' },
    theme: { fg: '#fff' },
  },
  [0.5, 'o', 'one'],
  [0.75, 'i', 'x'],
  [1, 'r', '100x30'],
  [1, 'm', 'a mark'],
  [1.5, 'z', { unknown: true }],
  [2, 'o', 'two'],
];
const V3 = [
  { version: 3, term: { cols: 80, rows: 24, type: 'xterm-256color' }, title: 'new', tags: ['x'] },
  '# a comment',
  [0.5, 'o', 'one'],
  [0.25, 'i', 'x'],
  [0.25, 'r', '100x30'],
  [0, 'm', 'a mark'],
  [1, 'o', 'two'],
  [0.5, 'x', '3'],
];

describe('a foreign file becomes a transcript', () => {
  it('v1', async () => {
    for (const text of [JSON.stringify(V1), JSON.stringify(V1, null, 2)]) {
      const { header, events, summary, id } = await imported(text);
      expect(told(events)).toEqual([
        [250, 'output', 'a'],
        [1_500, 'output', 'b😀'],
      ]);
      expect(header).toMatchObject({
        title: 'old',
        command: '/bin/zsh',
        env: V1.env,
        term: { cols: 80, rows: 24 },
      });
      expect(header.airlock?.source).toEqual({
        name: 'foreign.cast',
        sha256: createHash('sha256').update(text).digest('hex'),
        version: 1,
      });
      expect(summary).toMatchObject({
        id,
        kind: 'imported',
        title: 'old',
        startedAt: null,
        durationMs: 1_500,
      });
    }
  });

  it('v2, with everything that it says', async () => {
    const { header, events, summary, id } = await imported(file(...V2));
    expect(told(events)).toEqual([
      [500, 'output', 'one'],
      [750, 'input', 'x'],
      [1_000, 'resize', '100x30'],
      [1_000, 'marker', 'a mark'],
      [2_000, 'output', 'two'],
    ]);
    expect(header).toMatchObject({
      timestamp: 1_504_467_315,
      title: 'foreign.cast',
      term: { type: 'xterm' },
    });
    expect(summary).toMatchObject({ startedAt: '2017-09-03T19:35:15.000Z', ended: { how: 'unknown' } });
    const segment = join(folder, id, '0001.cast');
    expect(statSync(segment).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, id)).mode & 0o777).toBe(0o700);
    expect(summary.bytes).toBe(statSync(segment).size);
    const played = await playedByAsciinema(readFileSync(segment, 'utf8'));
    expect(played).toEqual(await playedByAsciinema(readFileSync(path, 'utf8')));
    expect(played).toEqual({ output: 'onetwo', errors: [] });
  });

  it('v3, without the end of its last line and with what died in it', async () => {
    const whole = await imported(file(...V3).trimEnd());
    expect(told(whole.events)).toEqual([
      [500, 'output', 'one'],
      [750, 'input', 'x'],
      [1_000, 'resize', '100x30'],
      [1_000, 'marker', 'a mark'],
      [2_000, 'output', 'two'],
      [2_500, 'exit', '3'],
    ]);
    expect(whole.summary.ended).toEqual({ how: 'failure', words: 'Exit code 3.' });
    const torn = await imported(`${file(...V3)}[1, "o", "thr`);
    expect(told(torn.events)).toEqual(told(whole.events));
  });

  it('bytes that an export of Airlock kept are exact again; its moments are marks (B02)', async () => {
    const bytes = Buffer.from([0x61, 0xff, 0xc0, 0x80, 0x62]);
    const moment = { kind: 'approval-requested', label: 'asked', approvalId: randomUUID() } as const;
    const recording = join(root, 'recording');
    writeRecording(recording, [bytes, { moment }]);
    const exported = join(root, 'exported.cast');
    await makeExport({ folder: recording, path: exported, format: 'cast', redactions: [], withInput: false });
    const { events, header } = await imported(readFileSync(exported));
    expect(events[0]).toMatchObject({ kind: 'output', bytes });
    expect(events[1]).toMatchObject({ kind: 'moment', moment: { kind: 'marker', label: 'asked' } });
    expect(header.airlock?.kind).toBe('imported');
  });

  it('bytes that do not stand for the text before them are not taken', async () => {
    const { events } = await imported(file(V3[0], [0, 'o', 'shown'], [0, 'b', 'aGlkZGVu']));
    expect(events).toMatchObject([{ kind: 'output', text: 'shown', bytes: null }]);
  });

  it('a large one goes over several segments, with the size and the time that each begins with', async () => {
    const line = JSON.stringify([0.001, 'o', 'é'.repeat(8_000)]);
    const text = `${file(V3[0], [0, 'r', '90x20'])}${`${line}\n`.repeat(150)}`;
    const { id, events, summary } = await imported(text, 2_000_000);
    const names = readdirSync(join(folder, id));
    expect(names).toEqual(['0001.cast', '0002.cast']);
    for (const name of names) expect(statSync(join(folder, id, name)).size).toBeLessThan(2_000_000);
    expect(summary.durationMs).toBe(150);
    expect(events.at(-1)?.atMs).toBe(150);
    const second = events.findIndex(({ kind }) => kind === 'header');
    const startOffsetUs = (events[second - 1]?.atMs ?? 0) * 1_000;
    expect(events[second]).toMatchObject({
      header: { term: { cols: 90, rows: 20 }, airlock: { segment: 2, startOffsetUs } },
    });
  });
});

describe('a file that is none is refused with the line and why, and nothing is left', () => {
  const v2 = (...lines: unknown[]) => file(V2[0], ...lines);
  const v3 = (...lines: unknown[]) => file(V3[0], ...lines);
  const time = 'the time must be a number of seconds from 0 to ten years.';
  it.each([
    ['nothing', '', 'The file is empty.'],
    ['no JSON', 'hello\n[0, "o", "x"]\n', 'Line 1: this is no header of an asciicast file, nor JSON.'],
    [
      'binary',
      Buffer.from([0, 255, 10, 0, 128]),
      'Line 1: this is no header of an asciicast file, nor JSON.',
    ],
    ['another JSON', '{"a": 1}\n', 'Line 1: this is no header of an asciicast file, which has a version.'],
    ['version', '{"version": 4}\n', 'Line 1: the version is not 1, 2 or 3.'],
    ['no size', '{"version": 2}\n', 'Line 1: the header needs `width` and `height`, as numbers.'],
    [
      'no size v3',
      '{"version": 3, "term": {"cols": "80"}}\n',
      'Line 1: the header needs `term` with `cols` and `rows`, as numbers.',
    ],
    [
      'size 0',
      '{"version": 2, "width": 0, "height": 24}\n',
      'Line 1: the size must be whole numbers from 1 to 65535.',
    ],
    [
      'huge size',
      '{"version": 2, "width": 1e9, "height": 24}\n',
      'Line 1: the size must be whole numbers from 1 to 65535.',
    ],
    ['NaN', v3('[NaN, "o", "x"]'), 'Line 2: it is no JSON.'],
    ['infinite', v3('[1e999, "o", "x"]'), `Line 2: ${time}`],
    ['huge', v3([1e300, 'o', 'x']), `Line 2: ${time}`],
    ['negative', v3([0, 'o', 'x'], [-1, 'o', 'x']), `Line 3: ${time}`],
    ['text as time', v3(['1', 'o', 'x']), `Line 2: ${time}`],
    ['falling', v2([2, 'o', 'x'], [1, 'o', 'x']), 'Line 3: the time is before that of the event above.'],
    [
      'too long in all',
      v3([3e8, 'o', 'x'], [3e8, 'o', 'x']),
      'Line 3: the recording is longer than ten years.',
    ],
    ['an object', v3({}), 'Line 2: an event must be a list: time, code, data.'],
    ['no code', v3([1]), 'Line 2: the code of an event must be text.'],
    ['no text', v3([1, 'o', 5]), 'Line 2: the data of an event must be text.'],
    ['resize', v3([1, 'r', '0x5']), 'Line 2: the size must be COLSxROWS, each from 1 to 65535.'],
    ['resize by words', v3([1, 'r', 'big']), 'Line 2: the size must be COLSxROWS, each from 1 to 65535.'],
    ['a damaged line between', v3('[1, "o", "x', [1, 'o', 'y']), 'Line 2: it is no JSON.'],
    ['deep', v3('['.repeat(2_000_000)), 'Line 2: it is no JSON.'],
    [
      'deep header',
      `${'{"a":'.repeat(500_000)}\n`,
      'Line 1: this is no header of an asciicast file, nor JSON.',
    ],
    [
      'v1 entry',
      JSON.stringify({
        ...V1,
        stdout: [
          [1, 'a'],
          [-1, 'b'],
        ],
      }),
      `Entry 2 of \`stdout\`: ${time}`,
    ],
    [
      'v1 without output',
      JSON.stringify({ ...V1, stdout: 'x' }),
      'Line 1: a file of one JSON value must be version 1, with its output in `stdout`.',
    ],
  ])('%s', async (_, text, why) => {
    expect(await refusal(text)).toBe(why);
  });

  it('a line of 5 MB', async () => {
    expect(await refusal(v3([0, 'o', 'x'.repeat(5_000_000)]))).toBe('Line 2: it has more than 4 MiB.');
  });
});

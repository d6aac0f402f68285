import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { CAST_EVENT_MAX_BYTES, CAST_LINE_MAX_BYTES } from '../../../shared/transcripts/limits.ts';
import { CastDecoder } from './decoder.ts';
import { CastEncoder, formatHeader } from './encoder.ts';
import type { CastEvent, Ending } from './events.ts';
import type { CastHeader } from './header.ts';
import { LineSplitter } from './line-splitter.ts';
import { readEvents, readSegments, timeAt } from './reader.ts';
import { segmentName, segmentsOf } from './segments.ts';

const folders: string[] = [];
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airlock-cast-'));
  folders.push(folder);
});
afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true });
});

function header(segment = 1, startOffsetUs = 0): CastHeader {
  return {
    version: 3,
    term: { cols: 80, rows: 24, type: 'xterm-256color' },
    timestamp: 1_700_000_000,
    airlock: {
      format: 1,
      id: '3b241101-e2bb-4255-8caf-4136c566a962',
      ...{ segment, kind: 'shell', profileId: 'shell', profileName: 'Shell', engine: 'bubblewrap' },
      ...{ posture: ['No network'], recordsInput: false, startOffsetUs },
    },
  };
}

function write(text: string, segment = 1): void {
  writeFileSync(join(folder, segmentName(segment)), text);
}

function read(from = 0): CastEvent[] {
  return [...readEvents(folder, { from })];
}

/** As `read`, without a file in between. */
function decode(text: string | Buffer): CastEvent[] {
  const decoder = new CastDecoder();
  const lines = [...new LineSplitter(0, CAST_LINE_MAX_BYTES).push(Buffer.from(text))];
  return [...lines.flatMap((line) => [...decoder.line(line)]), ...decoder.flush()];
}

function bytesOf(events: readonly CastEvent[], kind: 'output' | 'input' = 'output'): Buffer {
  return Buffer.concat(
    events.map((event) => (event.kind === kind ? (event.bytes ?? Buffer.from(event.text)) : Buffer.alloc(0))),
  );
}

const ENDING: Ending = {
  kind: 'ended',
  cause: 'program-ended',
  outcome: { kind: 'exited', code: 3 },
  removed: true,
};
const chunk = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => new TextEncoder().encode(text)),
);

describe('round trip', () => {
  it('gives back exactly the bytes, whatever they are and wherever they are cut (B02)', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('output', 'input'), chunk)), (pieces) => {
        const encoder = new CastEncoder();
        const lines = pieces.map(([kind, bytes]) => encoder[kind as 'output' | 'input'](5, bytes));
        const events = decode(formatHeader(header()) + lines.join('') + encoder.end(9, ENDING));
        for (const kind of ['output', 'input'] as const) {
          const wanted = pieces.filter(([one]) => one === kind).map(([, bytes]) => bytes);
          expect(bytesOf(events, kind).equals(Buffer.concat(wanted))).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('keeps valid text as text, cut at every byte, and adds no bytes to it (B02)', () => {
    const bytes = Buffer.from(`${'a'.repeat(5)}😀é\u{feff}\u0000"\\\u2028€ ok`);
    for (let at = 0; at <= bytes.length; at += 1) {
      const encoder = new CastEncoder();
      write(
        formatHeader(header()) +
          encoder.output(1, bytes.subarray(0, at)) +
          encoder.output(2, bytes.subarray(at)),
      );
      const outputs = read().filter((event) => event.kind === 'output');
      expect(outputs.map(({ text }) => text).join('')).toBe(bytes.toString());
      expect(outputs.every((event) => event.bytes === null)).toBe(true);
    }
  });

  it('keeps the text around bad bytes readable (B02)', () => {
    const bytes = Buffer.from('ok\xff\xfe\xc0\x80ok2\n', 'latin1');
    write(formatHeader(header()) + new CastEncoder().output(0, bytes));
    const [, output] = read();
    expect(output).toMatchObject({ kind: 'output', text: 'ok\ufffd\ufffd\ufffd\ufffdok2\n' });
    expect(bytesOf(read()).equals(bytes)).toBe(true);
  });

  it('cuts large output into events, between characters', () => {
    const bytes = Buffer.from('€'.repeat(CAST_EVENT_MAX_BYTES));
    write(formatHeader(header()) + new CastEncoder().output(7, bytes));
    const outputs = read().filter((event) => event.kind === 'output');
    expect(outputs.length).toBe(4);
    expect(outputs.every((event) => event.bytes === null && event.atUs === 7)).toBe(true);
    expect(bytesOf(read()).equals(bytes)).toBe(true);
  });

  it('reads a file of many pieces, whatever lines they cut', () => {
    const encoder = new CastEncoder();
    const texts = Array.from({ length: 300 }, (_, index) => `${index} ${'x'.repeat(index * 37)}`);
    write(formatHeader(header()) + texts.map((text, at) => encoder.output(at, Buffer.from(text))).join(''));
    expect(read().flatMap((event) => (event.kind === 'output' ? [event.text] : []))).toEqual(texts);
  });

  it('keeps sizes, moments and the end', () => {
    const encoder = new CastEncoder();
    const approvalId = '9f0c4c4e-6f1d-4bb6-a3b5-1d0f1a52f1aa';
    write(
      formatHeader(header()) +
        encoder.resize(1_000, { cols: 120, rows: 40 }) +
        encoder.moment(2_500, { kind: 'approval-requested', label: 'Asked', approvalId }) +
        encoder.marker(2_600, 'plain') +
        encoder.end(3_000, ENDING),
    );
    expect(read()).toMatchObject([
      { kind: 'header', atUs: 0, header: header() },
      { kind: 'resize', size: { cols: 120, rows: 40 }, atMs: 1 },
      { kind: 'moment', moment: { kind: 'approval-requested', label: 'Asked', approvalId, atMs: 2.5 } },
      { kind: 'moment', moment: { kind: 'marker', label: 'plain', atMs: 2.6 } },
      { kind: 'exit', status: '3' },
      { kind: 'ended', ending: ENDING, atMs: 3 },
    ]);
  });

  it('writes asciicast v3: a header line, then [interval, code, data] in seconds', () => {
    const encoder = new CastEncoder();
    const lines = [
      formatHeader(header()),
      encoder.output(1_500_000, Buffer.from('hi\n')),
      encoder.input(1_500_001, Buffer.from('k')),
      encoder.end(1_500_001, ENDING),
    ];
    const [first, ...events] = lines
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first).toMatchObject({ version: 3, term: { cols: 80, rows: 24 } });
    expect(events).toEqual([
      [1.5, 'o', 'hi\n'],
      [0.000001, 'i', 'k'],
      [0, 'x', '3'],
      [0, 'a', JSON.stringify(ENDING)],
    ]);
  });
});

describe('times', () => {
  it('never fall and do not drift, whatever the clock says (B27)', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 40 }), { maxLength: 200 }), (times) => {
        const encoder = new CastEncoder();
        const lines = times.map((at) => encoder.output(at, Buffer.from('x')));
        const seen = decode(formatHeader(header()) + lines.join('')).slice(1);
        let latest = 0;
        for (const [index, at] of times.entries()) {
          latest = Math.max(latest, at);
          expect(seen[index]?.atUs).toBe(latest);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('are known at every place of a recording, over segments', () => {
    const encoder = new CastEncoder();
    for (let segment = 1; segment <= 3; segment += 1) {
      const lines: (string | Buffer)[] = [formatHeader(header(segment, encoder.lastUs))];
      for (let index = 1; index <= 25; index += 1) {
        lines.push(encoder.output(encoder.lastUs + index, Buffer.from([index, 0x80 + index])));
        if (index % 10 === 0) lines.push(encoder.clock());
      }
      write(lines.join(''), segment);
    }
    const all = read();
    const segments = segmentsOf(folder);
    for (const [index, event] of all.entries()) {
      expect([...readSegments(segments, { from: event.offset })]).toEqual(all.slice(index));
    }
    expect(timeAt(segments, all.at(-1)?.end ?? 0)).toBe(encoder.lastUs);
  });
});

describe('damage', () => {
  const whole = () => {
    const encoder = new CastEncoder();
    return [
      formatHeader(header()),
      encoder.output(1_000, Buffer.from('one')),
      encoder.output(2_000, Buffer.from([0xff, 0x41])),
      encoder.moment(3_000, { kind: 'suspended', label: 'Suspended' }),
      encoder.clock(),
      encoder.output(4_000, Buffer.from('last')),
    ];
  };

  it('a torn last line loses only itself, at every cut (B33)', () => {
    const text = Buffer.from(whole().join(''));
    const all = decode(text);
    for (let cut = 0; cut <= text.length; cut += 1) {
      const kept = decode(text.subarray(0, cut));
      const complete = all.filter(({ end }) => end <= cut);
      expect(kept.slice(0, complete.length)).toEqual(complete);
      // At most the first line of an event of two.
      expect(kept.length - complete.length).toBeLessThanOrEqual(1);
    }
  });

  it('skips a damaged line, and the next clock puts the time right', () => {
    const lines = whole();
    lines[1] = '[0.5, "o", "broken\n';
    write(lines.join(''));
    let damaged = 0;
    const events = [...readSegments(segmentsOf(folder), {}, (count) => (damaged = count))];
    expect(events.map(({ kind }) => kind)).toEqual(['header', 'output', 'moment', 'output']);
    expect(events.at(-1)?.atUs).toBe(4_000);
    expect(damaged).toBe(1);
  });

  it.each([
    ['intervals', '[300000000, "o", "far"]\n'.repeat(40), 40],
    ['a clock', `[0, "t", "${'9'.repeat(400)}"]\n[0.5, "o", "here"]\n`, 1],
    ['a clock that is just above', `[0, "t", "9007199254740993"]\n[0.5, "o", "here"]\n`, 1],
  ])('times stay whole and exact whatever %s say, from every place (B27)', (_, lines, count) => {
    write(formatHeader(header()) + lines);
    const events = read();
    expect(events).toHaveLength(1 + count);
    const segments = segmentsOf(folder);
    for (const { offset, atUs } of events) {
      expect(atUs).toSatisfy(Number.isSafeInteger);
      for (const event of readSegments(segments, { from: offset }))
        expect(event.atUs).toSatisfy(Number.isSafeInteger);
    }
    expect(timeAt(segments, events.at(-1)?.end ?? 0)).toBe(events.at(-1)?.atUs);
  });

  it('skips nonsense of every kind and goes on', () => {
    const nonsense = [
      '[]',
      '[-1, "o", "x"]',
      '["1", "o", "x"]',
      '[1e300, "o", "x"]',
      'null',
      '{"version": 9}',
    ];
    const foreign = [
      '# comment',
      '',
      '[0, "r", "0x0"]',
      '[0, "z", "unknown"]',
      '[0, "a", "{}"]',
      '[0, "t", "x"]',
    ];
    write(`${formatHeader(header())}${[...nonsense, ...foreign].join('\n')}\n[1, "o", "end"]\n`);
    expect(read()).toMatchObject([{ kind: 'header' }, { kind: 'output', text: 'end', atMs: 1_000 }]);
  });

  it('never holds a line that is longer than allowed', () => {
    write(`${formatHeader(header())}[0, "o", "${'x'.repeat(CAST_LINE_MAX_BYTES)}"]\n[1, "o", "end"]\n`);
    expect(read()).toMatchObject([{ kind: 'header' }, { kind: 'output', text: 'end' }]);
  });

  it('looks at nothing from `until` on', () => {
    const lines = whole();
    write(lines.join(''));
    const until = Buffer.byteLength(lines.slice(0, 3).join(''));
    expect([...readEvents(folder, { until })].map(({ kind }) => kind)).toEqual([
      'header',
      'output',
      'output',
    ]);
  });

  it('ends at the first segment that is missing', () => {
    write(whole().join(''));
    write(formatHeader(header(3)), 3);
    expect(segmentsOf(folder).map(({ number }) => number)).toEqual([1]);
  });
});

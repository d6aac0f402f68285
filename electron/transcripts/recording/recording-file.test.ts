import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLOCK } from '../../../shared/transcripts/limits.ts';
import type { CastEvent, Ending } from '../cast/events.ts';
import { readEvents, timeAt } from '../cast/reader.ts';
import { segmentsOf } from '../cast/segments.ts';
import type { RecordedEvent, RecordingPlan } from './messages.ts';
import { RecordingFile } from './recording-file.ts';

const MIB = 1024 * 1024;
const ENDING: Ending = {
  kind: 'ended',
  cause: 'user',
  outcome: { kind: 'signalled', signal: 1, name: 'SIGHUP' },
  removed: true,
};

let root = '';
let folder = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'airlock-recording-'));
  folder = join(root, 'transcripts', 'one');
});
afterEach(() => rmSync(root, { recursive: true }));

function plan(maxBytes = 64 * MIB): RecordingPlan {
  return {
    folder,
    maxBytes,
    header: {
      version: 3,
      term: { cols: 80, rows: 24 },
      airlock: {
        format: 1,
        id: '3b241101-e2bb-4255-8caf-4136c566a962',
        ...{ segment: 1, kind: 'shell', profileId: 'shell', profileName: 'Shell', engine: 'bubblewrap' },
        ...{ posture: [], recordsInput: false, startOffsetUs: 0 },
      },
    },
  };
}

function output(file: RecordingFile, atUs: number, text: string): void {
  const bytes = Buffer.from(text);
  file.take([{ kind: 'output', atUs, length: bytes.length }], bytes);
}

const end = (atUs: number): RecordedEvent => ({ kind: 'end', atUs, ending: ENDING });
const all = (): CastEvent[] => [...readEvents(folder)];
const textOf = (events: readonly CastEvent[]) =>
  events.map((event) => (event.kind === 'output' ? event.text : '')).join('');

describe('the files of a recording', () => {
  it('are private, and whole at the end', () => {
    const file = new RecordingFile(plan());
    output(file, 1_000, 'hello');
    file.take([end(2_000)], new Uint8Array(0));
    expect(file).toMatchObject({ stopped: null, ended: true });
    expect(readdirSync(folder)).toEqual(['0001.cast']);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, '0001.cast')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, '0001.cast')).size).toBe(file.written);
    expect(all().map(({ kind }) => kind)).toEqual(['header', 'output', 'exit', 'ended']);
    expect(all().at(-1)).toMatchObject({ kind: 'ended', ending: ENDING, atMs: 2 });
  });

  it('go on in the next segment, with the size and the time of then', () => {
    const file = new RecordingFile(plan(), 20_000);
    file.take([{ kind: 'resize', atUs: 5, size: { cols: 132, rows: 43 } }], new Uint8Array(0));
    const lines = Array.from({ length: 60 }, (_, index) => `${index} ${'x'.repeat(1_000)}€\r\n`);
    for (const [index, line] of lines.entries()) output(file, 10 * (index + 1), line);
    file.take([end(1_000)], new Uint8Array(0));
    const segments = segmentsOf(folder);
    expect(segments.length).toBeGreaterThan(3);
    expect(Math.max(...segments.map(({ bytes }) => bytes))).toBeLessThanOrEqual(20_000);
    const events = all();
    expect(textOf(events)).toBe(lines.join(''));
    const outputs = events.filter(({ kind }) => kind === 'output');
    expect(outputs.map(({ atUs }) => atUs)).toEqual(lines.map((_, index) => 10 * (index + 1)));
    const second = events.filter((event) => event.kind === 'header')[1];
    expect(second?.header).toMatchObject({ term: { cols: 132, rows: 43 }, airlock: { segment: 2 } });
    expect(second?.atUs).toBe(second?.header.airlock?.startOffsetUs);
  });

  it('go on with the size that was in force there, whatever was written together with it', () => {
    const file = new RecordingFile(plan(), 20_000);
    output(file, 1, 'x'.repeat(15_000));
    const bytes = Buffer.from('y'.repeat(10_000));
    const wide = { kind: 'resize', atUs: 3, size: { cols: 132, rows: 43 } } as const;
    file.take([{ kind: 'output', atUs: 2, length: bytes.length }, wide, end(4)], bytes);
    const [, , second, ...rest] = all();
    expect(second).toMatchObject({ kind: 'header', header: { term: { cols: 80, rows: 24 } } });
    expect(rest.map(({ kind }) => kind)).toEqual(['output', 'resize', 'exit', 'ended']);
  });

  it('say the time so often that no reader has to look far', () => {
    const file = new RecordingFile(plan());
    for (let index = 1; index <= 100; index += 1) output(file, index, 'y'.repeat(CLOCK.everyBytes / 2));
    const segments = segmentsOf(folder);
    for (const event of all().slice(-20)) expect(timeAt(segments, event.end)).toBe(event.atUs);
    file.take([end(101)], new Uint8Array(0));
  });
});

describe('a recording whose thread died', () => {
  const goesOn = () => new RecordingFile({ ...plan(), goesOn: true });
  const WHY = 'The recorder failed: out of memory.';
  const rest = (atUs: number): RecordedEvent[] => [{ kind: 'stop', atUs, why: WHY }, end(atUs + 5)];

  it('goes on behind its last whole line, with why it stopped and how the session ended', () => {
    const died = new RecordingFile(plan(), 20_000);
    for (let index = 1; index <= 3; index += 1) output(died, index * 10, 'x'.repeat(9_000));
    appendFileSync(join(folder, '0002.cast'), '[0.5, "o", "torn');
    const file = goesOn();
    expect(file).toMatchObject({ stopped: null, ended: false });
    file.take(rest(50), new Uint8Array(0));
    expect(file).toMatchObject({ stopped: WHY, ended: true });
    const events = all();
    expect(events.slice(-4)).toMatchObject([
      { kind: 'output', atUs: 30 },
      { kind: 'moment', atUs: 50, moment: { kind: 'recording-stopped', why: WHY } },
      { kind: 'exit' },
      { kind: 'ended', atUs: 55 },
    ]);
    expect(textOf(events)).toBe('x'.repeat(27_000));
    expect(segmentsOf(folder).reduce((sum, { bytes }) => sum + bytes, 0)).toBe(file.written);
    expect(readdirSync(folder)).toEqual(['0001.cast', '0002.cast']);
  });

  it('begins where nothing was written, and goes on in the segment before one without a header', () => {
    goesOn().take(rest(5), new Uint8Array(0));
    expect(all().map(({ kind }) => kind)).toEqual(['header', 'moment', 'exit', 'ended']);
    rmSync(folder, { recursive: true });
    output(new RecordingFile(plan()), 1, 'x');
    writeFileSync(join(folder, '0002.cast'), '{"version": 3');
    goesOn().take(rest(5), new Uint8Array(0));
    expect(all().map(({ kind }) => kind)).toEqual(['header', 'output', 'moment', 'exit', 'ended']);
    expect(readdirSync(folder)).toEqual(['0001.cast']);
  });

  it('says nothing twice that it says already', () => {
    const stopped = new RecordingFile(plan());
    stopped.take([{ kind: 'stop', atUs: 1, why: 'Slow.' }], new Uint8Array(0));
    goesOn().take(rest(5), new Uint8Array(0));
    const kinds = ['header', 'moment', 'exit', 'ended'];
    expect(all().map(({ kind }) => kind)).toEqual(kinds);
    const again = goesOn();
    again.take(rest(9), new Uint8Array(0));
    expect(again.ended).toBe(true);
    expect(all().map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('the cap', () => {
  it('stops the recording, which says so and how the session ended (T3)', () => {
    const file = new RecordingFile(plan(MIB));
    for (let index = 1; index <= 40; index += 1) output(file, index, 'z'.repeat(50_000));
    expect(file.stopped).toBe('The transcript has reached its limit of 1 MiB.');
    file.take([{ kind: 'resize', atUs: 50, size: { cols: 10, rows: 10 } }, end(60)], new Uint8Array(0));
    const events = all();
    expect(events.slice(-3)).toMatchObject([
      { kind: 'moment', moment: { kind: 'recording-stopped', why: file.stopped } },
      { kind: 'exit', status: '129' },
      { kind: 'ended', atUs: 60 },
    ]);
    expect(textOf(events)).toMatch(/^z+$/);
    expect(file.written).toBeLessThan(MIB + 1_000);
    expect(file.written).toBeGreaterThan(MIB - 60_000);
  });
});

describe('what cannot be written', () => {
  it('stops a recording that cannot begin, without an exception', () => {
    new RecordingFile(plan());
    const second = new RecordingFile(plan());
    expect(second.stopped).toBe('The transcript cannot be written (EEXIST).');
    output(second, 1, 'x');
    second.take([end(2)], new Uint8Array(0));
    expect(second.ended).toBe(true);
    expect(all().map(({ kind }) => kind)).toEqual(['header']);
  });

  it.runIf(process.platform === 'linux')(
    'ends one whose file was lost under it, without an exception',
    () => {
      const file = new RecordingFile(plan());
      const [descriptor = ''] = readdirSync('/proc/self/fd').filter((name) => {
        const target = join('/proc/self/fd', name);
        return existsSync(target) && readlinkSync(target) === join(folder, '0001.cast');
      });
      closeSync(Number(descriptor));
      file.take([end(1)], new Uint8Array(0));
      expect(file).toMatchObject({ ended: true, stopped: 'The transcript cannot be written (EBADF).' });
    },
  );

  it('leaves the words of the host where the host stopped it', () => {
    const file = new RecordingFile(plan());
    output(file, 1, 'before');
    file.take([{ kind: 'stop', atUs: 9, why: 'Slow.' }], new Uint8Array(0));
    output(file, 10, 'after');
    file.take([end(20)], new Uint8Array(0));
    expect(textOf(all())).toBe('before');
    expect(all().slice(2)).toMatchObject([{ atUs: 9 }, { kind: 'exit' }, { kind: 'ended' }]);
    expect(existsSync(join(folder, '.reserve'))).toBe(false);
  });
});

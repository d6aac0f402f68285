import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReplayEvent } from '../../../shared/transcripts/transcript.ts';
import type { Catalogue } from './query/catalogue.ts';
import { differenceOf } from './terminal/difference.ts';
import { ReplayTerminal } from './terminal/replay-terminal.ts';
import { LibraryBench } from './testing/library-bench.ts';
import type { Recorded } from './testing/recordings.ts';
import { terminalPrograms } from './testing/terminal-programs.ts';

let bench: LibraryBench;
beforeEach(() => {
  bench = new LibraryBench();
});
afterEach(() => {
  expect(bench.faults).toEqual([]);
  bench.dispose();
});

/** The terminal at a time, played from the snapshot before it. */
function sought(catalogue: Catalogue, id: string, atMs: number, fromStart: boolean): ReplayTerminal {
  const start = { position: 0, size: { cols: 80, rows: 24 }, screen: '' };
  const { position, size, screen } = fromStart ? start : (catalogue.seek(id, atMs) ?? start);
  const terminal = new ReplayTerminal(size);
  terminal.write(screen);
  for (const event of eventsFrom(catalogue, id, position)) {
    if (event.atMs > atMs) break;
    if (event.kind === 'output') terminal.write(event.text);
    else if (event.kind === 'output-bytes') terminal.write(Buffer.from(event.base64, 'base64').toString());
    else if (event.kind === 'resize') terminal.resize(event.size);
  }
  return terminal;
}

function* eventsFrom(catalogue: Catalogue, id: string, position: number): Generator<ReplayEvent> {
  for (let next: number | null = position; next !== null; ) {
    const read: ReturnType<Catalogue['read']> = catalogue.read(id, next);
    yield* read?.events ?? [];
    next = read?.next ?? null;
  }
}

function expectSame(catalogue: Catalogue, id: string, atMs: number): void {
  const [quick, straight] = [sought(catalogue, id, atMs, false), sought(catalogue, id, atMs, true)];
  expect(differenceOf(quick, straight)).toBeNull();
}

describe('seeking', () => {
  it('B33: shows what straight play shows, at every boundary of a recording with three sizes', async () => {
    const drawn = (name: string) =>
      `\x1b[2J${Array.from({ length: 60 }, (_, y) => `\x1b[${y + 1};1H\x1b[3${y % 8}m${name} ${'='.repeat(y)}`).join('')}\x1b[m`;
    const log = Array.from(
      { length: 40 },
      (_, n) => `\r\n${n} a line of output that scrolls the screen`,
    ).join('');
    const events: Recorded[] = [
      drawn('first'),
      log,
      { size: { cols: 120, rows: 40 } },
      drawn('second'),
      '\x1b[?1049h',
      drawn('full screen'),
      { size: { cols: 60, rows: 20 } },
      drawn('third'),
      '\x1b[?1049l',
      log,
      '\x1b[3;10r\x1b[?6h\x1b[4hafter',
      log,
      'end',
    ];
    const id = bench.add(events);
    bench.start({ snapshotEvery: 1_000 });
    const catalogue = await bench.indexed();
    const places = new Set<number>();
    for (let atMs = 0; atMs <= events.length + 1; atMs += 0.5) {
      expectSame(catalogue, id, atMs);
      places.add(catalogue.seek(id, atMs)?.position ?? 0);
    }
    expect(places.size).toBeGreaterThan(5);
  });

  it('B33: shows what straight play shows, whatever was played, at random times', async () => {
    const programs = fc.sample(terminalPrograms, { numRuns: 25, seed: 33 });
    const ids = programs.map((steps) =>
      bench.add(steps.map((step): Recorded => (step.kind === 'output' ? step.text : { size: step.size }))),
    );
    bench.start({ snapshotEvery: 300 });
    const catalogue = await bench.indexed();
    let snapshots = 0;
    for (const id of ids) {
      const { durationMs } = catalogue.open(id) ?? { durationMs: 0 };
      for (const share of [0.2, 0.5, 0.77, 1]) {
        expectSame(catalogue, id, durationMs * share);
        if ((catalogue.seek(id, durationMs * share)?.position ?? 0) > 0) snapshots += 1;
      }
    }
    expect(snapshots).toBeGreaterThan(ids.length);
  });

  it('goes back and forth in a long recording without playing it from the start', async () => {
    const lines = Array.from({ length: 90_000 }, (_, n) => `${n} ${'of many lines '.repeat(n % 5)}\r\n`);
    const id = bench.add(Array.from({ length: 450 }, (_, n) => lines.slice(n * 200, n * 200 + 200).join('')));
    const catalogue = await bench.indexed();
    for (const atMs of [440, 10, 225, 451, 0]) {
      const { position } = catalogue.seek(id, atMs) ?? { position: 0 };
      const played = [...eventsFrom(catalogue, id, position)]
        .filter((event) => event.atMs <= atMs)
        .reduce((sum, event) => sum + (event.kind === 'output' ? event.text.length : 0), 0);
      expect(played).toBeLessThan(1.3 * 1024 * 1024);
      expectSame(catalogue, id, atMs);
    }
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOpen, type LedgerEntry, parseLedger } from './ledger-entries.ts';

const at = '2026-01-01T00:00:00.000Z';
const header = { ledger: 1, machine: 'm', pid: 7, startTime: '9', bootId: 'b', at };
const identity = { kind: 'process', pid: 8, startTime: '10', bootId: 'b' } as const;

const entries: LedgerEntry[] = [
  { event: 'intent', session: 'one', engine: 'bubblewrap', profile: 'shell', at },
  { event: 'committed', session: 'one', engine: 'bubblewrap', identity, at },
  { event: 'intent', session: 'two', engine: 'bubblewrap', profile: 'shell', at },
  { event: 'releasing', session: 'one', cause: 'user', at },
  { event: 'clean', session: 'one', outcome: { kind: 'exited', code: 0 }, at },
];
const text = [header, ...entries].map((value) => `${JSON.stringify(value)}\n`).join('');

it('folds the entries of each session', () => {
  const contents = parseLedger(text);
  expect(contents?.header).toEqual(header);
  expect(contents?.records).toEqual([
    { session: 'one', engine: 'bubblewrap', profile: 'shell', identity, last: 'clean', reason: null },
    { session: 'two', engine: 'bubblewrap', profile: 'shell', identity: null, last: 'intent', reason: null },
  ]);
  expect(contents?.records.map(isOpen)).toEqual([false, true]);
});

describe('torn files', () => {
  it('cut at any byte: whole lines count, a torn header makes it no ledger', () => {
    fc.assert(
      fc.property(fc.nat({ max: text.length }), (cut) => {
        const torn = text.slice(0, cut);
        const whole = torn.split('\n').length - 1;
        const contents = parseLedger(torn);
        if (whole === 0) expect(contents).toBeNull();
        else
          expect(contents?.records.length).toBe(
            new Set(entries.slice(0, whole - 1).map((e) => e.session)).size,
          );
      }),
    );
  });

  it('a line that was torn in the middle of the file loses only itself', () => {
    const lines = text.split('\n');
    lines[2] = (lines[2] as string).slice(0, 20);
    const [one, two] = parseLedger(lines.join('\n'))?.records ?? [];
    expect(one).toMatchObject({ identity: null, last: 'clean' });
    expect(two).toMatchObject({ last: 'intent' });
  });

  it.each(['', '\n', '{}\n', 'null\n', '{"ledger":2}\n', '\0\0\0\n'])('%j is no ledger', (content) => {
    expect(parseLedger(content)).toBeNull();
  });
});

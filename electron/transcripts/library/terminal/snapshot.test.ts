import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINK_MARKERS_MAX } from '../../../../shared/terminal/limits.ts';
import { type Step, terminalPrograms } from '../testing/terminal-programs.ts';
import { differenceOf } from './difference.ts';
import { ReplayTerminal } from './replay-terminal.ts';
import { snapshotOf } from './snapshot.ts';

const SIZE = { cols: 80, rows: 24 };

function play(terminal: ReplayTerminal, steps: readonly Step[]): void {
  for (const step of steps)
    if (step.kind === 'output') terminal.write(step.text);
    else terminal.resize(step.size);
}

describe('a terminal that replays', () => {
  it.each(['L', 'M', 'S', 'T', 'I', 'Z', 'b'])(
    'carries out a huge count of CSI %s at once (B30)',
    (final) => {
      const [huge, full] = [2_147_483_647, SIZE.cols * SIZE.rows].map((count) => {
        const terminal = new ReplayTerminal(SIZE);
        terminal.write(`a\r\nb\r\nc\x1b[2;3Hx\x1b[${count}${final}`);
        return terminal;
      }) as [ReplayTerminal, ReplayTerminal];
      expect(differenceOf(huge, full)).toBeNull();
    },
  );

  it('keeps a bounded number of links (B30)', () => {
    const terminal = new ReplayTerminal(SIZE);
    const links = (count: number) => '\x1b]8;;https://e.example/\x1b\\x'.repeat(count);
    terminal.write(links(3 * LINK_MARKERS_MAX));
    expect(terminal.core._oscLinkService.getLinkData(1)).toBeUndefined();
    expect(terminal.core._oscLinkService.getLinkData(3 * LINK_MARKERS_MAX)).toBeDefined();
  });
});

describe('snapshots', () => {
  it('are refused in the middle of a sequence', () => {
    const terminal = new ReplayTerminal(SIZE);
    terminal.write('text\x1b[38;5');
    expect(snapshotOf(terminal)).toBeNull();
    terminal.write(';196mred');
    expect(snapshotOf(terminal)).toContain('\x1b[0;38;5;196mred');
  });

  it.each([
    '\x1b[38;5;196mRED',
    '\x1b]8;;https://e.example\x07t',
    'a😀b',
    '\x1bP1$r0m\x1b\\shown',
    '5;196m files pending',
  ])('B33: begin nowhere within %j, and before and behind it show all of it', (output) => {
    const characters = [...output];
    const places: number[] = [];
    for (let cut = 0; cut <= characters.length; cut += 1) {
      const [before, behind] = [characters.slice(0, cut).join(''), characters.slice(cut).join('')];
      const straight = new ReplayTerminal(SIZE);
      straight.write(`\x1b[1;4mkept\r\n${before}`);
      const snapshot = snapshotOf(straight);
      if (snapshot === null) continue;
      places.push(cut);
      const sought = new ReplayTerminal(SIZE);
      sought.write(snapshot);
      for (const terminal of [straight, sought]) terminal.write(`${behind}\r\n5;196m files pending`);
      expect(differenceOf(sought, straight)).toBeNull();
    }
    expect(places).toEqual(expect.arrayContaining([0, characters.length]));
  });

  it('keep tab stops, margins and an open link', () => {
    const terminal = new ReplayTerminal(SIZE);
    terminal.write('\x1b[3g\x1b[5G\x1bH\x1b[33G\x1bH\x1b[3;9r\x1b]8;;https://e.example/\x1b\\');
    const copy = new ReplayTerminal(SIZE);
    copy.write(snapshotOf(terminal) ?? '');
    for (const each of [copy, terminal]) each.write('\ta\tb\n\n\n\n\n\n\n\n\n\n\n\n');
    expect(differenceOf(copy, terminal)).toBeNull();
  });

  it('leave the text above the screen out when it is too much, and keep its number of lines', () => {
    const terminal = new ReplayTerminal({ cols: 1_000, rows: 24 });
    const coloured = '\x1b[31m─\x1b[m─'.repeat(480);
    for (let line = 0; line < 600; line++) terminal.write(`${line}${coloured}\r\n`);
    const snapshot = snapshotOf(terminal) ?? '';
    const copy = new ReplayTerminal(terminal.size);
    copy.write(snapshot);
    expect(differenceOf(copy, terminal, { withLinesAbove: false })).toBeNull();
    expect(snapshot.split('─').length - 1).toBeLessThanOrEqual(24 * 960);
  });

  it('B33: a snapshot and what follows it show what straight play shows', () => {
    let asked = 0;
    let refused = 0;
    fc.assert(
      fc.property(terminalPrograms, fc.nat(), (steps, place) => {
        const cut = place % (steps.length + 1);
        const straight = new ReplayTerminal(SIZE);
        play(straight, steps.slice(0, cut));
        const joins = straight.isAfterCharacter;
        const snapshot = snapshotOf(straight);
        asked += 1;
        if (snapshot === null) {
          refused += 1;
          return;
        }
        const sought = new ReplayTerminal(straight.size);
        sought.write(snapshot);
        expect(differenceOf(sought, straight)).toBeNull();
        // What joins a character of before needs to have seen it.
        const rest: Step[] = [
          ...(joins ? [{ kind: 'output', text: '\x1b[?7h' } as const] : []),
          ...steps.slice(cut),
        ];
        play(straight, rest);
        play(sought, rest);
        expect(differenceOf(sought, straight)).toBeNull();
      }),
      // Rare states of xterm can be said by no output; whether a run meets one must not be luck.
      { numRuns: 120, seed: 33 },
    );
    expect(refused).toBeLessThan(asked / 20);
  });
});

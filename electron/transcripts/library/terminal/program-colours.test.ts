import { afterEach, describe, expect, it } from 'vitest';
import { THEME_COLOURS } from '../../../../shared/terminal/program-colours.ts';
import { ReplayTerminal } from './replay-terminal.ts';

const terminals: ReplayTerminal[] = [];
afterEach(() => {
  for (const terminal of terminals.splice(0)) terminal.dispose();
});

/** What sets the colours that stand after an output. */
function coloursAfter(output: string): string {
  const terminal = new ReplayTerminal({ cols: 20, rows: 4 });
  terminals.push(terminal);
  terminal.write(output);
  return terminal.colours.sequence;
}

const osc = (...payloads: string[]) => payloads.map((payload) => `\x1b]${payload}\x1b\\`).join('');

describe('the colours of a program', () => {
  it.each([
    ['one of the palette', osc('4;1;rgb:12/34/56'), osc('4;1;#123456')],
    ['several at once', osc('4;9;#abc;2;rgb:ffff/0000/8080'), osc('4;2;#ff0080', '4;9;#a0b0c0')],
    ['the newest of each', osc('4;1;#111111', '4;1;#222222'), osc('4;1;#222222')],
    [
      'foreground, background and cursor',
      osc('10;#010101;#020202;#030303'),
      osc('10;#010101', '11;#020202', '12;#030303'),
    ],
    ['background and cursor by themselves', osc('11;#020202', '12;#030303'), osc('11;#020202', '12;#030303')],
    ['none that was given back', osc('4;1;#111111;2;#222222', '104;1'), osc('4;2;#222222')],
    ['none of the palette after 104', osc('4;1;#111111', '10;#010101', '104'), osc('10;#010101')],
    ['none of the others after 110, 111, 112', osc('10;#010101;#020202;#030303', '110', '111', '112'), ''],
    ['none that was only asked for', osc('4;1;?', '10;?'), ''],
    ['none that is no colour or no index', osc('4;256;#111111;-1;#222222;1;red', '10;url(x)'), ''],
    ['all of them after a reset of the terminal', `${osc('4;1;#111111')}\x1bc`, osc('4;1;#111111')],
    ['none after the theme was restored', osc('4;1;#111111', '11;#020202') + THEME_COLOURS, ''],
  ])('are %s', (_name, output, sequence) => {
    expect(coloursAfter(output)).toBe(sequence);
  });

  it('are a bounded number, however many are set', () => {
    const all = Array.from(
      { length: 5_000 },
      (_, n) => `4;${n};#0102${(n % 256).toString(16).padStart(2, '0')}`,
    );
    const sequence = coloursAfter(osc(...all, '10;#010101;#020202;#030303'));
    expect(sequence.split('\x1b]').length - 1).toBe(259);
    expect(sequence.length).toBeLessThan(7 * 1024);
    expect(coloursAfter(sequence)).toBe(sequence);
  });
});

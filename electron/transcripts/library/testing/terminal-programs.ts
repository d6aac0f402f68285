import fc from 'fast-check';
import type { TerminalSize } from '../../../../shared/terminal/size.ts';

export type Step =
  | { readonly kind: 'output'; readonly text: string }
  | { readonly kind: 'resize'; readonly size: TerminalSize };

const number = fc.integer({ min: 0, max: 130 });
const small = fc.integer({ min: 1, max: 12 });
const words = fc.constantFrom(
  'ready',
  'x',
  '  ',
  'error: no such file ',
  'né à ',
  'e\u0301',
  '界面',
  '👩‍💻',
  '\u0301',
  '🇩🇪',
  '─│┌',
  'a longer line of text that goes over the edge of any narrow screen, and then some more of it to be sure ',
);
const attributes = fc
  .array(
    fc.constantFrom(
      ...[
        '0',
        '1',
        '2',
        '3',
        '4',
        '5',
        '7',
        '8',
        '9',
        '21',
        '22',
        '24',
        '27',
        '53',
        '55',
        '59',
        '4:3',
        '4:5',
      ],
      ...[
        '31',
        '39',
        '42',
        '49',
        '95',
        '104',
        '38;5;196',
        '48;5;17',
        '38;2;1;2;3',
        '48;2;9;8;7',
        '58:5:3',
        '58;2;4;5;6',
      ],
    ),
    { maxLength: 3 },
  )
  .map((codes) => `\x1b[${codes.join(';')}m`);
const modes = fc
  .tuple(
    fc.constantFrom(...['?1', '?6', '?7', '?12', '?25', '?45', '?66', '?1004', '?2004', '?2026', '4', '20']),
    fc.constantFrom('h', 'l'),
  )
  .map(([mode, on]) => `\x1b[${mode}${on}`);
const colours = fc
  .constantFrom(
    ...['4;1;rgb:12/34/56', '4;9;#abc;200;#123456', '10;#e0e0e0;#101010', '11;rgb:0/0/8', '12;#ff0000'],
    ...['104', '104;1', '110', '111', '112', '4;1;?', '11;?'],
  )
  .map((payload) => `\x1b]${payload}\x1b\\`);
const screens = fc.constantFrom(
  '\x1b[?1049h',
  '\x1b[?1049l',
  '\x1b[?47h',
  '\x1b[?1047l',
  '\x1b[?1048h',
  '\x1b[?1048l',
);
const csi = fc
  .tuple(number, number, fc.constantFrom(...'ABCDEFGHIJKLMPSTXZ@`adefr'))
  .map(([a, b, final]) =>
    'HfrJK'.includes(final)
      ? `\x1b[${final === 'J' || final === 'K' ? a % 4 : `${a % 45};${b}`}${final}`
      : `\x1b[${a % 30}${final}`,
  );
const others = fc.constantFrom(
  ...[
    '\r',
    '\n',
    '\r\n',
    '\r\n',
    '\r\n',
    '\b',
    '\t',
    '\x1b7',
    '\x1b8',
    '\x1b[s',
    '\x1b[u',
    '\x1bD',
    '\x1bE',
    '\x1bM',
  ],
  ...[
    '\x1b(0',
    '\x1b(B',
    '\x1b)0',
    '\x1b)A',
    '\x0e',
    '\x0f',
    '\x1bn',
    '\x1b#8',
    '\x1b[1"q',
    '\x1b[0"q',
    '\x1b[!p',
    '\x1b[3 q',
    '\x1b[6 q',
  ],
  ...[
    '\x1b]8;;https://e.example/\x1b\\here\x1b]8;;\x1b\\',
    '\x1b]8;id=a;https://e.example/a\x07a link\x1b]8;;\x07',
    '\x1b]8;;\x1b\\',
    '\x1b]0;title\x07',
  ],
  ...[
    '\x1b[?1000h',
    '\x1b[?1003h',
    '\x1b[?1006h',
    '\x1b[?1000l',
    '\x1b[5b',
    '\x1bc',
    '\0',
    '\x1bP$q m\x1b\\',
  ],
);
/** Draws every row, as a full-screen program does after a resize. */
const fullScreen = fc.tuple(small, attributes).map(([rows, colour]) => {
  const drawn = Array.from(
    { length: rows * 4 },
    (_, y) => `\x1b[${y + 1};1H${colour}row ${y} ${'='.repeat(y * 3)}\x1b[K`,
  );
  return `\x1b[H\x1b[2J${drawn.join('')}\x1b[m`;
});
const log = fc
  .tuple(small, words)
  .map(([lines, word]) =>
    Array.from({ length: lines * 9 }, (_, n) => `${n} ${word.repeat(n % 7)}\r\n`).join(''),
  );

const output = fc
  .oneof(
    { weight: 6, arbitrary: words },
    { weight: 3, arbitrary: attributes },
    { weight: 5, arbitrary: csi },
    { weight: 4, arbitrary: others },
    { weight: 1, arbitrary: modes },
    { weight: 1, arbitrary: colours },
    { weight: 1, arbitrary: screens },
    { weight: 1, arbitrary: fullScreen },
    { weight: 2, arbitrary: log },
  )
  .map((text): Step => ({ kind: 'output', text }));

const SIZES: readonly TerminalSize[] = [
  { cols: 80, rows: 24 },
  { cols: 120, rows: 40 },
  { cols: 60, rows: 20 },
  { cols: 7, rows: 3 },
];
/** The alternate screen keeps what a narrower size hides, and no output can say it: programs draw anew, and so do these. */
const resize = fc.tuple(fc.constantFrom(...SIZES), fullScreen).map(([size, text]): Step[] => [
  { kind: 'resize', size },
  { kind: 'output', text },
]);

/** What a terminal may see, most of it odd. It begins at 80x24. */
export const terminalPrograms: fc.Arbitrary<Step[]> = fc
  .array(
    fc.oneof({ weight: 20, arbitrary: output.map((step) => [step]) }, { weight: 1, arbitrary: resize }),
    {
      minLength: 1,
      maxLength: 60,
    },
  )
  .map((steps) => steps.flat());

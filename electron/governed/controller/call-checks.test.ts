import { beforeEach, describe, expect, it } from 'vitest';
import { authority, type CallOptions, GovernedBench, MANIFEST } from './testing/governed-bench.ts';

let bench: GovernedBench;
beforeEach(() => {
  bench = new GovernedBench();
});

const long = 'x'.repeat(4_095);
const huge = 'x'.repeat(65_537);
const matches = { commandMatches: () => true, readyMatches: (line: string) => line === '>' };
const broken = (): boolean => {
  throw new Error('no such class');
};

/** What is wrong, the rule, the exact text. */
const REFUSALS: readonly [string, string, string, (bench: GovernedBench) => CallOptions][] = [
  ['E10.1 deadline passed', 'X1', 'session authorization expired before dispatch', () => ({ withinMs: 0 })],
  [
    'E10.1 run deadline passed',
    'X1',
    'session authorization expired before dispatch',
    ({ clock }) => ({ run: { deadline: clock.now() } }),
  ],
  [
    'E10.3 output without authority',
    'X2',
    'file publication requires an active audited dispatcher',
    (bench) => ({ files: bench.files() }),
  ],
  [
    'E10.3 authority that holds no more',
    'X2',
    'file publication requires an active audited dispatcher',
    (bench) => ({ files: bench.files(), authority: authority({ stillHolds: () => false }) }),
  ],
  [
    'E10.4 engine without workers',
    'X4',
    'interactive terminal transport requires Docker, gVisor or Firecracker; selected transport unavailable',
    (bench) => ({ profile: { ...bench.callOf().profile, engine: 'smolvm' } }),
  ],
  [
    'E10.6 no command',
    'X6',
    "Invalid session tool name: 'box' (expected 'session.command')",
    () => ({ tool: 'box' }),
  ],
  [
    'E10.6 no tool',
    'X6',
    "Invalid session tool name: '.go' (expected 'session.command')",
    () => ({ tool: '.go' }),
  ],
  ['E10.7 undeclared', 'X8', 'unknown session command', () => ({ tool: 'box.rm' })],
  ['E10.7 of another manifest', 'X8', 'unknown session command', () => ({ tool: 'other.go' })],
  ...['', 'go\n', 'go\r', 'g\to', 'go\0', '\x15go', 'go\x7f', 'go\u0085', 'go\u2028', 'go\ud800', huge].map(
    (text): (typeof REFUSALS)[number] => [
      `E10.8 B23 text ${JSON.stringify(text.slice(0, 8))} of ${text.length}`,
      'X7',
      'terminal command is empty, contains control characters, or exceeds 64 KiB',
      () => ({ text, matcher: matches }),
    ],
  ),
  ...['go; id', 'go ', ' go', 'ago', 'GO'].map((text): (typeof REFUSALS)[number] => [
    `E10.8 B23 text ${JSON.stringify(text)}`,
    'X7',
    'terminal command does not fully match its declared pattern',
    () => ({ text }),
  ]),
  [
    'E10.8 a pattern that does not compile',
    'X7',
    'invalid session command pattern: no such class',
    () => ({ matcher: { ...matches, commandMatches: broken } }),
  ],
  [
    'E10.8 B12 a line that the terminal would cut',
    'X0',
    'terminal command exceeds 4095 bytes, the longest line that a terminal passes on whole',
    () => ({ tool: 'box.long', text: long }),
  ],
  ...(
    [
      ['startupTimeoutMs', 0],
      ['idleTimeoutMs', 0],
      ['sessionTimeoutMs', -1],
      ['sessionTimeoutMs', Number.POSITIVE_INFINITY],
      ['maxInteractions', 0],
      ['maxInteractions', 10_001],
      ['idleTimeoutMs', Number.NaN],
    ] as const
  ).map(([key, value]): (typeof REFUSALS)[number] => [
    `E10.9 ${key} = ${value}`,
    'X9',
    'terminal startup, idle, lifetime and interaction bounds must be positive and finite',
    () => ({ session: { [key]: value } }),
  ]),
  ['E10.9 no argv', 'X10', 'invalid terminal startup argv', () => ({ session: { startupArgv: [] } })],
  [
    'E10.9 empty program',
    'X10',
    'invalid terminal startup argv',
    () => ({ session: { startupArgv: ['', 'a'] } }),
  ],
  [
    'E10.9 long argv',
    'X11',
    'terminal startup argv exceeds input limit',
    () => ({ session: { startupArgv: [huge] } }),
  ],
  [
    'E10.9 NUL',
    'X11',
    'terminal startup argv exceeds input limit',
    () => ({ session: { startupArgv: ['a', 'b\0'] } }),
  ],
  [
    'E10.9 ready pattern',
    'X12',
    'invalid terminal ready pattern: no such class',
    () => ({ matcher: { ...matches, readyMatches: broken } }),
  ],
  [
    'E10.9 ready pattern that matches nothing',
    'X13',
    'terminal ready pattern must not match empty output',
    () => ({ matcher: { ...matches, readyMatches: () => true } }),
  ],
  ...(
    [
      ['outputMaxBytes', 0],
      ['outputMaxBytes', 4_194_305],
      ['outputWaitMs', 0],
    ] as const
  ).map(([key, value]): (typeof REFUSALS)[number] => [
    `E10.9 ${key} = ${value}`,
    'X14',
    'terminal output must be bounded to at most 4 MiB with a positive wait',
    () => ({ session: { [key]: value } }),
  ]),
  [
    'E10.9 wait',
    'X14',
    'terminal wait exceeds supported range',
    () => ({ session: { outputWaitMs: Number.MAX_SAFE_INTEGER } }),
  ],
  [
    'E10.9 lifetime',
    'X14',
    'terminal lifetime exceeds supported range',
    () => ({ session: { sessionTimeoutMs: 2 ** 60 } }),
  ],
];

describe('a call is refused before any worker', () => {
  it.each(REFUSALS)('%s: %s', async (_, rule, text, options) => {
    const result = await bench.failure(options(bench));
    expect(result).toMatchObject({ rule, text });
    expect(bench.log).toEqual([]);
    expect(bench.controller.sessions).toEqual([]);
  });

  it('E10.2 X0 when the boundary is invalid, in its own words', async () => {
    bench.workers.problem = 'no such user';
    expect(await bench.failure()).toEqual({
      rule: 'X0',
      text: 'invalid sandbox boundary: no such user',
      session: 'none',
    });
  });

  it('E10.5 X5 without a session definition', async () => {
    const manifest = { ...MANIFEST, session: undefined } as unknown as typeof MANIFEST;
    const call = { ...bench.callOf(), manifest };
    const result = await bench.controller.call(call, new AbortController().signal);
    expect(result).toMatchObject({ ok: false, error: { rule: 'X5', text: 'missing session definition' } });
  });

  it('E10 the first failure wins', async () => {
    expect(await bench.failure({ withinMs: 0, tool: 'box' })).toMatchObject({ rule: 'X1' });
    expect(await bench.failure({ tool: 'box', text: '' })).toMatchObject({ rule: 'X6' });
    expect(await bench.failure({ text: '\n', session: { maxInteractions: 0 } })).toMatchObject({
      rule: 'X7',
    });
    expect(await bench.failure({ session: { maxInteractions: 0, startupArgv: [] } })).toMatchObject({
      rule: 'X9',
    });
  });

  it('E10 a live session outlives a refused call', async () => {
    await bench.reply();
    expect(await bench.failure({ text: 'go; id' })).toMatchObject({ rule: 'X7', session: 'lives' });
    expect((await bench.reply()).results.interaction_count).toBe(2);
  });
});

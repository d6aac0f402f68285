import { describe, expect, test } from 'vitest';
import { NO_CUSTOM_TYPES, parseCustomTypes } from './custom-types.ts';
import { parseManifest } from './parse-manifest.ts';
import { changed, manifestWith, VALID } from './testing/manifest-text.ts';

function problems(text: string): string[] {
  const parsed = parseManifest(text, NO_CUSTOM_TYPES);
  expect(parsed.manifest === null).toBe(parsed.problems.length > 0);
  return parsed.problems.map(({ line, key, message }) => `${line} ${key}: ${message}`);
}

function warnings(text: string): string[] {
  const parsed = parseManifest(text, NO_CUSTOM_TYPES);
  expect(parsed.problems).toEqual([]);
  return parsed.warnings.map(({ key, message }) => `${key}: ${message}`);
}

const GRANT = 'filesystem grants require normalized relative file paths';
const BOUNDS = 'filesystem permits at most 32 inputs, one new output and 1–16777216 bytes per file';
const X9 = 'X9: terminal startup, idle, lifetime and interaction bounds must be positive and finite';
const X14 = 'X14: terminal output must be bounded to at most 4 MiB with a positive wait';

test('M3 a valid manifest has no problem and no warning, and all its values', () => {
  const { manifest, problems, warnings } = parseManifest(VALID, NO_CUSTOM_TYPES);
  expect([problems, warnings]).toEqual([[], []]);
  expect(manifest).toMatchObject({
    name: 'writer',
    timeoutMs: 20_000,
    cedar: { resource: 'Reports::Writer', action: 'drive' },
    filesystem: { read: ['data/rates.csv'], create: 'data/report.csv', maxFileBytes: 262_144 },
    session: {
      startupArgv: ['/bin/sh', '-i'],
      startupTimeoutMs: 5000,
      outputMaxBytes: 65_536,
      outputWaitMs: 1000,
    },
    outputFormat: 'text',
  });
  expect(manifest?.commands.map(({ name, needsApproval }) => [name, needsApproval])).toEqual([
    ['add', false],
    ['save', true],
  ]);
});

test('1.1–1.5 defaults', () => {
  const { manifest } = parseManifest(
    manifestWith(`[session.commands.a]\npattern = 'a'\ndescription = ""\n[filesystem]`),
    NO_CUSTOM_TYPES,
  );
  expect(manifest).toEqual({
    name: 't',
    version: '1',
    description: 'd',
    riskTier: 'low',
    timeoutMs: 30_000,
    cedar: null,
    session: {
      startupArgv: ['sh'],
      readyPattern: '>',
      startupTimeoutMs: 30_000,
      idleTimeoutMs: 300_000,
      sessionTimeoutMs: 1_800_000,
      maxInteractions: 100,
      outputMaxBytes: 1_048_576,
      outputWaitMs: 2000,
    },
    commands: [
      {
        name: 'a',
        pattern: 'a',
        description: '',
        riskTier: 'low',
        needsApproval: false,
        finalize: false,
        extractTarget: false,
        args: [],
      },
    ],
    filesystem: { read: [], create: null, maxFileBytes: 8_388_608 },
    outputFormat: 'text',
  });
});

/** Section 1.7, row by row: what is changed, into what, and the problem that names line and key. */
const INVALID: [what: string, piece: string, replacement: string, expected: string][] = [
  ['M12 no [output]', '[output]\nformat = "text"\n', '', 'null output: missing required field output'],
  ['M12 no format', 'format = "text"', '', '35 output.format: missing required field format'],
  [
    'unknown format',
    '"text"\n',
    '"yaml"\n',
    '36 output.format: wrong type or value: must be one of text, json',
  ],
  ['no tool.version', 'version = "1.0.0"', '', '1 tool.version: missing required field version'],
  [
    'no tool.description',
    'description = "Writes a report"',
    '',
    '1 tool.description: missing required field',
  ],
  [
    'no startup_command',
    'startup_command = "/bin/sh -i"',
    '',
    '15 session.startup_command: missing required field',
  ],
  ['no ready_pattern', "ready_pattern = 'report>'", '', '15 session.ready_pattern: missing required field'],
  ['no pattern', "pattern = 'save'", '', '29 session.commands.save.pattern: missing required field pattern'],
  ['no command description', 'description = "Publish"', '', '29 session.commands.save.description: missing'],
  [
    'no position',
    'position = 1',
    '',
    '26 session.commands.add.args.ticket.position: missing required field position',
  ],
  ['no type', 'type = "string"', '', '26 session.commands.add.args.ticket.type: missing required field type'],
  [
    'M2 [filesystem] delete',
    'read = [',
    'delete = []\nread = [',
    '12 filesystem.delete: unknown field delete',
  ],
  [
    'max_interactions = -1',
    '= 40',
    '= -1',
    '21 session.max_interactions: wrong type or value: must be a whole number',
  ],
  [
    'text for a number',
    '= 40',
    '= "40"',
    '21 session.max_interactions: wrong type or value: must be a whole',
  ],
  [
    'a float for a number',
    '= 40',
    '= 40.0',
    '21 session.max_interactions: wrong type or value: must be a whole',
  ],
  [
    '[tool.cedar] without action',
    'action = "drive"',
    '',
    '8 tool.cedar.action: missing required field action',
  ],
  [
    'mode without [session]',
    VALID.slice(VALID.indexOf('[session]'), VALID.indexOf('[output]')),
    '',
    'null session: missing required field session',
  ],
  ['tool timeout 0', '= 20', '= 0', `6 tool.timeout_seconds: must be 1 to 2147483 seconds, is 0 (${X9})`],
  [
    'startup timeout 0',
    '= 5',
    '= 0',
    `18 session.startup_timeout_seconds: must be 1 to 2147483 seconds, is 0 (${X9})`,
  ],
  [
    'idle timeout 0',
    '= 120',
    '= 0',
    `19 session.idle_timeout_seconds: must be 1 to 2147483 seconds, is 0 (${X9})`,
  ],
  [
    'session timeout 0',
    '= 600',
    '= 0',
    `20 session.session_timeout_seconds: must be 1 to 2147483 seconds, is 0 (${X9})`,
  ],
  [
    'session timeout beyond timers',
    '= 600',
    '= 99999999',
    '20 session.session_timeout_seconds: must be 1 to 2147483 seconds, is 99999999 (X14: terminal lifetime exceeds supported range)',
  ],
  ['max_interactions 0', '= 40', '= 0', `21 session.max_interactions: must be 1 to 10000, is 0 (${X9})`],
  [
    'max_interactions 10001',
    '= 40',
    '= 10001',
    `21 session.max_interactions: must be 1 to 10000, is 10001 (${X9})`,
  ],
  ['startup_command empty', '"/bin/sh -i"', '""', '16 session.startup_command: split like shell words'],
  ['unbalanced quotes X10', '"/bin/sh -i"', '"sh \'-c"', '(X10: invalid terminal startup argv)'],
  ['too long X11', '/bin/sh -i', 'a'.repeat(65_537), '(X11: terminal startup argv exceeds input limit)'],
  [
    'ready .*',
    "'report>'",
    "'.*'",
    '17 session.ready_pattern: X13: terminal ready pattern must not match empty output',
  ],
  [
    'ready ^$',
    "'report>'",
    "'^$'",
    '17 session.ready_pattern: X13: terminal ready pattern must not match empty output',
  ],
  [
    'ready (>)?',
    "'report>'",
    "'(>)?'",
    '17 session.ready_pattern: X13: terminal ready pattern must not match empty',
  ],
  [
    'ready [',
    "'report>'",
    "'['",
    '17 session.ready_pattern: X12: invalid terminal ready pattern: unclosed character class',
  ],
  [
    'pattern (',
    "'save'",
    "'('",
    '30 session.commands.save.pattern: X7: invalid session command pattern: unclosed group',
  ],
  [
    'output_max_bytes 0',
    '= 65536',
    '= 0',
    `22 session.interaction.output_max_bytes: must be 1 to 4194304 bytes, is 0 (${X14})`,
  ],
  ['output_max_bytes > 4 MiB', '= 65536', '= 4194305', `is 4194305 (${X14})`],
  [
    'output_wait_ms 0',
    '= 1000',
    '= 0',
    `22 session.interaction.output_wait_ms: must be 1 to 429496729 milliseconds, is 0 (${X14})`,
  ],
  [
    'output_wait_ms overflows',
    '= 1000',
    '= 429496730',
    'is 429496730 (X14: terminal wait exceeds supported range)',
  ],
  ['two outputs', '["data/report.csv"]', '["a", "b"]', `13 filesystem.create: ${BOUNDS}; create has 2`],
  [
    '33 inputs',
    '["data/rates.csv"]',
    JSON.stringify(Array.from({ length: 33 }, (_, i) => `f${i}`)),
    `12 filesystem.read: ${BOUNDS}; read has 33`,
  ],
  ['max_file_bytes 0', '= 262144', '= 0', `14 filesystem.max_file_bytes: ${BOUNDS}; max_file_bytes is 0`],
  [
    'max_file_bytes > 16 MiB',
    '= 262144',
    '= 16777217',
    `14 filesystem.max_file_bytes: ${BOUNDS}; max_file_bytes is 16777217`,
  ],
  [
    'M11 create without finalizer',
    'finalize = true',
    '',
    '13 filesystem.create: terminal file output requires a declared finalizing command',
  ],
  [
    'M11 with [http]',
    '[output]',
    '[http]\nurl = "x"\n[output]',
    '11 filesystem: filesystem grants require a command, MCP tool or terminal session',
  ],
  [
    'M11 with [mcp]',
    '[output]',
    '[mcp]\nserver = "x"\n[output]',
    '11 filesystem: filesystem grants require a command, MCP tool or terminal session',
  ],
  ...['../x', '/x', 'a//b', './x', 'dir/{name}', 'C:x', '', 'a\\\\b', 'a,b', 'a\\nb', 'a'.repeat(4097)].map(
    (path): [string, string, string, string] => [
      `F1 read ${path.slice(0, 20)}`,
      'data/rates.csv',
      path,
      `12 filesystem.read.0: ${GRANT}`,
    ],
  ),
  ['same path twice', '["data/rates.csv"]', '["a", "a"]', '12 filesystem.read.1: duplicate filesystem grant'],
  [
    'in read and create',
    'data/rates.csv',
    'data/report.csv',
    '13 filesystem.create.0: duplicate filesystem grant',
  ],
  [
    'reference to no argument',
    'data/rates.csv',
    '{input}',
    '12 filesystem.read.0: missing filesystem argument input in add, save',
  ],
  [
    'reference that one command lacks',
    'data/rates.csv',
    '{ticket}',
    '12 filesystem.read.0: missing filesystem argument ticket in save',
  ],
  ['unknown type', '"string"', '"number"', '28 session.commands.add.args.ticket.type: Unknown type: number'],
  ['M4 a dot in tool.name', '"writer"', '"a.b"', '2 tool.name: must not contain a dot'],
  ['empty tool.name X6', '"writer"', '""', '2 tool.name: must not be empty'],
  [
    'hidden character in tool.name',
    '"writer"',
    '"wri\\u202Eter"',
    'must not contain invisible characters or spaces: wri<U+202E>ter',
  ],
  [
    'lookahead',
    "'save'",
    "'(?=s)save'",
    'look-around, including look-ahead and look-behind, is not supported',
  ],
  [
    'backreference',
    "'save'",
    "'(s)ave\\1'",
    'X7: invalid session command pattern: backreferences are not supported',
  ],
  [
    'B23 a pattern valid only when wrapped',
    "'save'",
    "'save)|(.*'",
    'X7: invalid session command pattern: unopened group',
  ],
  [
    'a comment that swallows the anchor',
    "'save'",
    "'(?x)save # '",
    'X7: invalid session command pattern: unclosed group',
  ],
  [
    'extract_target without group',
    "pattern = 'save'",
    "pattern = 'save'\nextract_target = true",
    'scoped session patterns must capture the actual target as (?P<target>...)',
  ],
  [
    'enum without allowed',
    '"string"',
    '"enum"',
    '26 session.commands.add.args.ticket.allowed: type enum needs allowed',
  ],
  [
    'regex_match without pattern',
    '"string"',
    '"regex_match"',
    'ticket.pattern: type regex_match needs a pattern',
  ],
  [
    'argument pattern',
    '"string"',
    '"string"\npattern = "["',
    '29 session.commands.add.args.ticket.pattern: invalid argument pattern: unclosed character class',
  ],
  [
    'min above max',
    '"string"',
    '"integer"\nmin = 2\nmax = 1',
    '29 session.commands.add.args.ticket.min: min 2 is above max 1',
  ],
  [
    'default of another type',
    '"string"',
    '"port"\ndefault = 70000',
    'ticket.default: is not valid by its own type: value must be a port',
  ],
  [
    'default table',
    '"string"',
    '"string"\ndefault = {}',
    'ticket.default: must be text, a number or a boolean',
  ],
  [
    'oneshot',
    '"session"',
    '"oneshot"',
    '4 tool.mode: only manifests with mode = "session" can be opened, this one is "oneshot"',
  ],
  ['unknown mode', '"session"', '"nonsense"', '4 tool.mode: Unknown ToolClad mode: nonsense'],
  ['no Cedar type', '"Reports::Writer"', '"Reports Writer"', '9 tool.cedar.resource: must be a Cedar type'],
  ['TOML syntax', 'max_interactions = 40', 'max_interactions = ', '21 : invalid TOML: '],
  ['a key twice', 'format = "text"', 'format = "text"\nformat = "text"', '37 : invalid TOML: '],
  ['__proto__', 'format = "text"', 'format = "text"\n__proto__ = 1', '37 : invalid TOML: '],
];

describe('1.7 M3 invalid manifests are found at load, with line, key and bound', () => {
  test.each(INVALID)('%s', (_what, piece, replacement, expected) => {
    const found = problems(changed(piece, replacement));
    expect(found.join('\n')).toContain(expected);
  });
});

const DEEP = 'tables and arrays may lie at most 32 deep within each other';

test.each([
  ['a dotted key', (parts: string) => `${VALID}[x]\n${parts} = 1`, 38],
  ['a table', (parts: string) => `${VALID}[${parts}]\n`, 37],
  ['an inline table', (parts: string) => `${VALID}[x]\ny = {\n${parts} = 1 }`, 39],
])('M3 %s of more parts than anything needs is one problem, at its line', (_what, text, line) => {
  for (const parts of [33, 30_000]) {
    const [problem, ...others] = problems(text(Array(parts).fill('a').join('.')));
    expect(problem).toBe(`${line} : ${DEEP}`);
    expect(others).toEqual([]);
  }
  expect(warnings(text(Array(20).fill('a').join('.')))).toHaveLength(1);
});

test('M3 several problems are all reported', () => {
  const text = changed('= 5\n', '= 0\n', changed("'report>'", "'['", changed("'save'", "'('")));
  expect(problems(text)).toHaveLength(3);
});

test('M2 unknown keys are ignored, with a warning', () => {
  expect(warnings(changed('human_approval = true', 'human_aproval = true'))).toEqual([
    'session.commands.save.human_aproval: unknown key human_aproval, ignored: is it misspelt?',
  ]);
});

test.each([
  ['args.x', '[args.x]\ntype = "string"', 'args: ignored: only [session.commands.NAME.args.*] count'],
  ['source', '[source]\nx = 1', 'source: ignored: a source policy is not evaluated here'],
  [
    'child_detection',
    '[session.child_detection]\nx = 1',
    'session.child_detection: ignored: is not implemented',
  ],
])('M6 %s is said to be ignored', (_what, table, expected) => {
  expect(warnings(`${VALID}${table}\n`).join()).toContain(expected);
});

test('M4 a command name may contain a dot', () => {
  const { manifest } = parseManifest(
    manifestWith(`[session.commands."a.b"]\npattern = 'a'\ndescription = ""`),
    NO_CUSTOM_TYPES,
  );
  expect(manifest?.commands[0]?.name).toBe('a.b');
});

test('1.3 commands keep the order of the file', () => {
  const commands = ['b', '10', 'a', '9'].map(
    (name) => `[session.commands.${name}]\npattern = 'x'\ndescription = ""`,
  );
  const { manifest } = parseManifest(manifestWith(commands.join('\n')), NO_CUSTOM_TYPES);
  expect(manifest?.commands.map(({ name }) => name)).toEqual(['b', '10', 'a', '9']);
});

test('M6 an argument called command gives way to the built-in one', () => {
  const parsed = parseManifest(changed('args.ticket', 'args.command'), NO_CUSTOM_TYPES);
  expect(parsed.manifest?.commands[0]?.args).toEqual([]);
  expect(parsed.warnings[0]?.message).toContain('(M6)');
});

test('A1 the approval flag of the tool holds for every command', () => {
  const { manifest } = parseManifest(
    changed('risk_tier = "medium"', 'human_approval = true'),
    NO_CUSTOM_TYPES,
  );
  expect(manifest?.commands.map((command) => command.needsApproval)).toEqual([true, true]);
});

test('A1 a command that publishes a file needs approval, whatever its manifest says; another finalizer does not', () => {
  const silent = parseManifest(changed('human_approval = true\n', ''), NO_CUSTOM_TYPES);
  expect(silent.manifest?.commands.map((command) => command.needsApproval)).toEqual([false, true]);
  const denied = parseManifest(changed('human_approval = true', 'human_approval = false'), NO_CUSTOM_TYPES);
  expect(denied.manifest?.commands.map((command) => command.needsApproval)).toEqual([false, true]);
  const ends = '[session.commands.end]\npattern = "end"\ndescription = "d"\nfinalize = true';
  const fileless = parseManifest(manifestWith(ends), NO_CUSTOM_TYPES);
  expect(fileless.manifest?.commands.map((command) => command.needsApproval)).toEqual([false]);
});

describe('B17 NUL and C1 controls in any value', () => {
  test.each([
    ['tool.description', '"Writes a report"'],
    ['session.startup_command', '"/bin/sh -i"'],
    ['session.ready_pattern', "'report>'"],
    ['session.commands.save.pattern', "'save'"],
    ['session.commands.save.description', '"Publish"'],
    ['filesystem.read.0', '"data/rates.csv"'],
    ['filesystem.create.0', '"data/report.csv"'],
  ])('%s is refused, and what hides is shown', (key, value) => {
    for (const [control, shown] of [
      ['\\u0000', 'NUL'],
      ['\\u0085', 'U+0085'],
      ['\\u009b', 'U+009B'],
    ])
      expect(problems(changed(value, `"a${control}${value.slice(1, -1)}"`)).join()).toContain(
        ` ${key}: must not contain NUL or C1 controls: a<${shown}>`,
      );
  });

  test('raw ones, which TOML permits, too; letters of those bytes are letters', () => {
    expect(problems(changed('Writes a report', 'Writes \u009b31m'))).toHaveLength(1);
    expect(problems(changed('Writes a report', 'À Á Ā €'))).toEqual([]);
  });
});

describe('warnings', () => {
  test.each([
    ['B23 .*', 'add .*', '; | & $ ` < > CR'],
    ['B23 \\S', 'add \\S+', '; | & $ ` < >'],
    ['B23 a negated class', 'add [^;]+', '| & $ ` < > LF CR'],
    ['B23 an operator in a class', 'add [a-z;]+', ';'],
    ['B23 (?s).', '(?s)add .', '; | & $ ` < > LF CR'],
  ])('%s admits shell operators', (_what, pattern, operators) => {
    expect(warnings(changed('add [a-z]{1,40}', pattern)).join()).toContain(
      `admits shell operators (${operators})`,
    );
  });

  test.each(['add [\\w./-]+', 'SELECT [A-Za-z0-9_ ,.*=%-]{1,400} \\\\g', 'a|b', '(?:x y){2}'])(
    'B23 %s admits none',
    (pattern) => {
      expect(warnings(changed("'add [a-z]{1,40}'", `'${pattern.replace('\\\\g', '\\\\g')}'`))).toEqual([]);
    },
  );

  test.each(['add [a-z]+;', '(a|b)[;|]', 'f\\(x\\)', '!{1,2}'])('M8 %s can never be sent', (pattern) => {
    expect(warnings(changed('add [a-z]{1,40}', pattern)).join()).toContain('can never be sent');
  });

  test.each(['a;?', 'a|b;'])('M8 %s can be sent', (pattern) => {
    expect(warnings(changed('add [a-z]{1,40}', pattern)).join()).not.toContain('can never be sent');
  });

  test.each(['exit', 'quit', '\\\\q', '(?i)EXIT', 'done|quit'])(
    'X31 finalizer %s ends the program',
    (pattern) => {
      expect(warnings(changed("'save'", `'${pattern}'`)).join()).toContain(
        'must print the prompt and stay alive',
      );
    },
  );

  test('X31 a finalizer called quit', () => {
    expect(warnings(changed('commands.save', 'commands.quit')).join()).toContain('quit ends the program');
  });

  test.each(['^> $', '> ', '>\\s+', '(> |\\$ )', ' >'])('1.2 ready pattern %j never matches', (pattern) => {
    expect(warnings(changed("'report>'", `'${pattern}'`)).join()).toContain('never matches');
  });

  test.each(['> ?', '>\\s*', '> x', '(> |>)'])('1.2 ready pattern %j can match', (pattern) => {
    expect(warnings(changed("'report>'", `'${pattern}'`))).toEqual([]);
  });

  test('risk tiers of tool and command', () => {
    expect(warnings(changed('"high"', '"High"', changed('"medium"', '"critical"')))).toEqual([
      'tool.risk_tier: "critical" is not low, medium or high',
      'session.commands.save.risk_tier: "High" is not low, medium or high',
    ]);
  });

  test('a default of a required argument is never used', () => {
    expect(warnings(changed('"string"', '"string"\nrequired = true\ndefault = "x"')).join()).toContain(
      'never used',
    );
  });
});

describe('custom types of toolclad.toml (1.4)', () => {
  const types = (text: string) => parseCustomTypes(text);

  test('aliases chain; the constraints of the last link apply, not those of the argument', () => {
    const parsed = types(
      `[types.day]\nbase = "weekday"\nallowed = ["x"]\n[types.weekday]\nbase = "enum"\nallowed = ["mo", "tu"]`,
    );
    expect(parsed.findings).toEqual([]);
    const manifest = parseManifest(changed('"string"', '"day"\nallowed = ["no"]'), parsed.types);
    expect(manifest.manifest?.commands[0]?.args[0]).toMatchObject({ type: 'enum', allowed: ['mo', 'tu'] });
    expect(manifest.warnings[0]?.message).toContain('the constraints of the custom type day apply');
  });

  test('a cycle', () => {
    const parsed = types(`[types.a]\nbase = "b"\n[types.b]\nbase = "a"\n[types.ok]\nbase = "port"`);
    expect(parsed.findings.map(({ line, message }) => [line, message])).toEqual([
      [1, 'cyclic custom argument type'],
      [3, 'cyclic custom argument type'],
    ]);
    expect([...parsed.types.keys()]).toEqual(['ok']);
  });

  test('an unknown base, and a name that is built in', () => {
    expect(
      types(`[types.a]\nbase = "zzz"\n[types.port]\nbase = "string"`).findings.map((one) => one.message),
    ).toEqual(['Unknown type: zzz', 'type port is built in and cannot be defined again']);
  });
});

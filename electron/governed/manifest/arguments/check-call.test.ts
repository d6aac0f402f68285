import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { compileManifest } from '../compiled-manifest.ts';
import { NO_CUSTOM_TYPES } from '../custom-types.ts';
import { parseManifest } from '../parse-manifest.ts';
import { manifestWith } from '../testing/manifest-text.ts';
import { checkCall, commandCheckOf } from './check-call.ts';
import type { Project } from './project-checks.ts';
import { Scope } from './scope.ts';

const folder = mkdtempSync(join(tmpdir(), 'airlock-call-'));
afterAll(() => rmSync(folder, { recursive: true }));

const parsedScope = Scope.parse('[scope]\ntargets = ["10.0.0.0/8"]\ndomains = ["example.com"]');
const project: Project = { folder, scope: parsedScope.ok ? parsedScope.value : null };

function compiled(commands: string) {
  const { manifest, problems } = parseManifest(manifestWith(commands), NO_CUSTOM_TYPES);
  if (manifest === null) throw new Error(problems[0]?.message);
  return compileManifest(manifest);
}

const MANIFEST = compiled(`[session.commands.cat]
pattern = 'cat [\\w./-]+'
description = ""
[session.commands.ls]
pattern = '^ls( .*)?$'
description = ""
[session.commands.scan]
pattern = 'scan (?P<target>[a-z0-9./:]+)'
description = ""
extract_target = true
[session.commands.pay]
pattern = 'pay'
description = ""
finalize = true
human_approval = true
[session.commands.pay.args.ticket]
position = 2
type = "string"
required = true
default = "unused"
[session.commands.pay.args.count]
position = 1
type = "integer"
default = 3
[session.commands.pay.args.note]
position = 3
type = "literal_text"
[session.commands.pay.args.host]
position = 4
type = "scope_target"
[session.commands.pay.args.page]
position = 5
type = "url"
scope_check = true
[session.commands.pay.args.key]
position = 6
type = "credential_file"
`);

function call(command: string, text: string, args: Record<string, string> = {}, inProject = project) {
  const checked = checkCall(MANIFEST, { command, text, args }, inProject);
  return checked.ok
    ? checked.value
    : checked.error.map(({ field, rule, message }) => `${rule} ${field}: ${message}`);
}

const CONTROL = 'X7 command: terminal command is empty, contains control characters, or exceeds 64 KiB';
const NO_MATCH = 'X7 command: terminal command does not fully match its declared pattern';
const forbidden = (char: string) =>
  `M8 command: Validation failed for 'command': Injection detected: value contains forbidden character '${char}'`;

describe('M10 B23 the command text: string rules, then the terminal check', () => {
  test.each<[string, string, string]>([
    ['cat', 'cat a; id', forbidden(';')],
    ['cat', 'cat a && id', forbidden('&')],
    ['cat', 'cat a\nid', CONTROL],
    ['cat', 'cat a\r', CONTROL],
    ['cat', 'cat a\n', CONTROL],
    ['cat', 'cat a\u2028id', CONTROL],
    ['cat', '\x15id', CONTROL],
    ['cat', 'ca\bt a', CONTROL],
    ['cat', 'cat a\t', CONTROL],
    ['cat', 'cat\u009b a', CONTROL],
    ['cat', 'cat a\x7f', CONTROL],
    ['cat', 'cat a\0', CONTROL],
    ['cat', '\ud800', CONTROL],
    ['cat', '', CONTROL],
    ['cat', '   ', CONTROL],
    ['cat', `cat ${'a'.repeat(1_000_000)}`, CONTROL],
    ['cat', 'ｃat a', NO_MATCH],
    ['cat', 'cat a\u00a0b', NO_MATCH],
    ['cat', 'xcat a', NO_MATCH],
    ['ls', 'ls $(id)', forbidden('$')],
    ['ls', 'ls `id`', forbidden('`')],
    ['ls', 'ls > x', forbidden('>')],
    ['ls', 'ls \\\nid', CONTROL],
    ['ls', 'ls !!', forbidden('!')],
    ['ls', 'ls (x', forbidden('(')],
    ['nothing', 'x', 'X8 command: unknown session command'],
    ['toString', 'x', 'X8 command: unknown session command'],
  ])('%s %j is refused', (command, text, problem) => {
    expect(call(command, text)).toEqual([problem]);
  });

  test.each([
    ['cat', ' cat a ', 'cat a'],
    ['cat', 'cat ../../etc', 'cat ../../etc'],
    ['ls', 'ls', 'ls'],
    ['ls', 'ls -l \u00e9', 'ls -l \u00e9'],
    ['ls', `ls ${'a'.repeat(65_533)}`, `ls ${'a'.repeat(65_533)}`],
  ])('%s %j is sent as %j', (command, text, line) => {
    expect(call(command, text)).toMatchObject({ line, args: { command: line } });
  });

  test('no line that passes has a control, a line end or a shell operator', () => {
    const unit = fc.constantFrom(...'abc ;|&$`<>\n\r\t\0\x1b\u2028\u2029\u0085\ufeff\u202e', '\ud800');
    fc.assert(
      fc.property(fc.string({ unit }), (rest) => {
        const checked = checkCall(MANIFEST, { command: 'ls', text: `ls ${rest}`, args: {} }, project);
        if (checked.ok) expect(checked.value.line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs};|&$`<>]/u);
      }),
    );
  });
});

describe('extract_target', () => {
  test.each([
    ['scan 10.1.2.3', true],
    ['scan example.com', true],
    ['scan 11.0.0.1', false],
    ['scan 10.0.0.0/7', false],
  ])('%s is in scope: %s', (text, inScope) => {
    expect(Array.isArray(call('scan', text))).toBe(!inScope);
  });

  test('no scope file', () => {
    expect(call('scan', 'scan example.com', {}, { folder, scope: null })).toEqual([
      'M7 command: session target requires project scope',
    ]);
  });
});

describe('M7 arguments', () => {
  test('defaults, empty optional values, and the command itself; in order of position', () => {
    const checked = call('pay', 'pay', { ticket: ' T-1 ' });
    expect(checked).toMatchObject({ line: 'pay' });
    expect('args' in checked && Object.entries(checked.args)).toEqual([
      ['count', '3'],
      ['ticket', 'T-1'],
      ['note', ''],
      ['host', ''],
      ['page', ''],
      ['key', ''],
      ['command', 'pay'],
    ]);
  });

  test.each<[Record<string, string>, string]>([
    [{}, 'M7 ticket: Missing required argument: ticket'],
    [{ ticket: '  ' }, 'M7 ticket: Missing required argument: ticket'],
    [{ ticket: 'T', nope: '' }, "M7 nope: Unknown argument 'nope' for tool 't.pay'"],
    [{ ticket: 'T', command: 'x' }, "M7 command: Unknown argument 'command' for tool 't.pay'"],
    [{ ticket: 'T', 'a\u202eb': '' }, "M7 a<U+202E>b: Unknown argument 'a<U+202E>b' for tool 't.pay'"],
    [{ ticket: 'T', count: 'x' }, "M7 count: Validation failed for 'count': value must be a whole number"],
    [
      { ticket: 'T;' },
      "M8 ticket: Validation failed for 'ticket': Injection detected: value contains forbidden character ';'",
    ],
    [
      { ticket: 'T', host: 'other.org' },
      "M7 host: Validation failed for 'host': target is not in the project's scope: other.org",
    ],
    [
      { ticket: 'T', page: 'https://other.org/example.com' },
      "M7 page: Validation failed for 'page': target is not in the project's scope: other.org",
    ],
    [
      { ticket: 'T', page: 'https://example.com@other.org/' },
      "M7 page: Validation failed for 'page': target is not in the project's scope: other.org",
    ],
    [
      { ticket: 'T', key: 'absent' },
      "M7 key: Validation failed for 'key': credential file must exist, as a regular file of the project",
    ],
  ])('%j', (args, problem) => {
    expect(call('pay', 'pay', args)).toEqual([problem]);
  });

  test('every field that is wrong is reported', () => {
    expect(call('pay', 'no', { count: 'x', nope: '' })).toHaveLength(4);
  });

  test('values in scope, and an existing credential file', () => {
    writeFileSync(join(folder, 'key'), 'k');
    const args = { ticket: 'T', host: '10.9.9.9', page: 'https://example.com/x', key: 'key', note: ' a;\n' };
    expect(call('pay', 'pay', args)).toMatchObject({ args });
  });

  test('a credential file is no folder and no link out of the project', () => {
    mkdirSync(join(folder, 'dir'));
    symlinkSync('/etc/passwd', join(folder, 'link'));
    for (const key of ['dir', 'link']) expect(call('pay', 'pay', { ticket: 'T', key })).toHaveLength(1);
  });
});

test('M5 M6 the check as typed: the line, the approval, the end; problems by field', () => {
  const request = { command: 'pay', text: ' pay', args: { ticket: 'T' } };
  expect(commandCheckOf(MANIFEST, request, checkCall(MANIFEST, request, project))).toEqual({
    line: 'pay',
    problems: [],
    needsApproval: true,
    finalizes: true,
  });
  const wrong = { command: 'pay', text: 'p', args: {} };
  const check = commandCheckOf(MANIFEST, wrong, checkCall(MANIFEST, wrong, project));
  expect([check.line, check.problems.map(({ field }) => field)]).toEqual([null, ['command', 'ticket']]);
});

test('E26 a ready line is trimmed, not empty, and matches entirely', () => {
  const ready = (line: string) => MANIFEST.readyMatches(line);
  expect([ready('>'), ready(' > '), ready('> done'), ready(''), ready('x>')]).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

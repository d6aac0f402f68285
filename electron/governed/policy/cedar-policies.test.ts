import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BUILT_IN_POLICY } from './built-in-policy.ts';
import { CedarPolicies, type PolicyOverview } from './cedar-policies.ts';
import { contractDigestOf } from './invocation.ts';
import { callOf, FILES } from './testing/calls.ts';

let root: string;
let folder: string;
let policies: CedarPolicies;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'airlock-policies-'));
  folder = join(root, 'policies');
  policies = new CedarPolicies(folder);
});
afterEach(() => {
  policies.dispose();
  rmSync(root, { recursive: true });
});

function put(text: string | Buffer, name = 'p.cedar'): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** Whether one permit with this condition permits the call. */
function permits(condition: string, call = callOf()): boolean {
  put(`permit (principal, action, resource) when { ${condition} };`);
  return policies.decide(call).allowed;
}

const DENIED = "Cedar denied action 'drive' for agent person-1";

describe('the built-in policy', () => {
  test('permits what needs no approval, and the rest only when exactly this call was approved', () => {
    expect(policies.overview).toMatchObject({
      origin: 'built-in',
      files: [{ name: 'built-in', text: BUILT_IN_POLICY }],
      problem: null,
    });
    expect(policies.decide(callOf({ command: 'add' }))).toMatchObject({
      allowed: true,
      policies: ['built-in#no-approval-needed'],
    });
    expect(policies.decide(callOf())).toEqual({ allowed: false, text: DENIED, policies: [] });
    expect(policies.decide(callOf({ approved: true }))).toMatchObject({
      allowed: true,
      policies: ['built-in#approved-by-a-person'],
    });
    const approval = callOf({ callId: 'other', approved: true }).approvedFingerprint;
    expect(policies.decide({ ...callOf(), approvedFingerprint: approval }).allowed).toBe(false);
    expect(policies.decide({ ...callOf(), approvedFingerprint: '' }).allowed).toBe(false);
  });

  test('is replaced by the first file of the user at once, and holds again without it', () => {
    put('forbid (principal, action, resource);');
    expect(policies.decide(callOf({ command: 'add' }))).toMatchObject({
      allowed: false,
      policies: ['p.cedar#1'],
    });
    expect(policies.overview.origin).toBe('user');
    unlinkSync(join(folder, 'p.cedar'));
    expect(policies.decide(callOf({ command: 'add' })).allowed).toBe(true);
  });
});

describe('the request', () => {
  test('C1 the principal', () => {
    expect(permits('principal == Agent::"person-1"')).toBe(true);
    expect(permits('principal == Agent::"person-1"', callOf({ principalId: 'x"y' }))).toBe(false);
  });

  test('C2 action and resource, with and without [tool.cedar]', () => {
    expect(
      permits(
        'action == Reports::Writer::Action::"drive" && resource == Reports::Writer::"report_writer.save"',
      ),
    ).toBe(true);
    const plain = 'action == Action::"tool_call::report_writer.save" && resource == Resource::"default"';
    expect(permits(plain, callOf({ cedar: null }))).toBe(true);
    expect(permits(plain)).toBe(false);
  });

  test('C3 the attributes of the resource', () => {
    const call = callOf();
    expect(
      permits(`resource.tool_name == "report_writer.save" && resource.version == "1.0.0" &&
        resource.contract_hash == "${contractDigestOf(call)}" && resource.call_fingerprint == "${call.fingerprint}"`),
    ).toBe(true);
    expect(permits('resource has risk_tier || resource has session_state')).toBe(false);
  });

  test('C4 the context', () => {
    const call = callOf();
    expect(permits(`context.has_human_approval == false && context.approved_fingerprint == ""`)).toBe(true);
    expect(
      permits(
        `context.has_human_approval && context.approved_fingerprint == "${call.fingerprint}"`,
        callOf({ approved: true }),
      ),
    ).toBe(true);
    expect(
      permits(`context.invocation.fingerprint == "${call.fingerprint}" &&
        context.invocation.action.ToolCall.call_id == "call-1" &&
        context.invocation.arguments.command == "save-report" &&
        context.invocation.contract.requires_approval &&
        context.invocation.resolved.session_finalizes &&
        context.invocation.resolved.command_boundary.tier == "bubblewrap"`),
    ).toBe(true);
  });

  test('C5 null fields are left out, arrays are sets', () => {
    expect(
      permits('context.invocation.resolved.command_boundary has filesystem', callOf({ files: null })),
    ).toBe(false);
    expect(
      permits('context.invocation.resolved.command_boundary.filesystem.create == ["data/report.csv"]'),
    ).toBe(true);
    const none = callOf({ files: { ...FILES, output_parent_identity: null } });
    expect(
      permits('context.invocation.resolved.command_boundary.filesystem has output_parent_identity', none),
    ).toBe(false);
    expect(permits('true', none)).toBe(true);
  });

  test('C5 a null in an array, and what Cedar cannot represent, deny the call', () => {
    put('permit (principal, action, resource);');
    for (const read of [[null], [1.5], [2 ** 63]]) {
      const decision = policies.decide(callOf({ files: { ...FILES, read } as never }));
      expect(decision).toMatchObject({ allowed: false, text: expect.stringContaining(`${DENIED}: `) });
    }
  });

  test('A3 a fingerprint of another call is denied', () => {
    put('permit (principal, action, resource);');
    const { fingerprint } = callOf({ callId: 'other' });
    expect(policies.decide({ ...callOf(), fingerprint })).toEqual({
      allowed: false,
      text: `${DENIED}: the fingerprint is not that of this call`,
      policies: [],
    });
  });

  test('what throws is a denial', () => {
    expect(policies.decide({ ...callOf(), args: { command: '\ud800' } })).toMatchObject({ allowed: false });
  });
});

describe('C6 the files', () => {
  test('all *.cedar count, as one set; other files do not', () => {
    put('permit (principal, action, resource);', 'a.cedar');
    put(
      '@id("stop") forbid (principal, action, resource) when { context.invocation.arguments.command == "no" };',
      'b.cedar',
    );
    put('nonsense', 'c.txt');
    expect(policies.decide(callOf())).toMatchObject({ allowed: true, policies: ['a.cedar#1'] });
    expect(policies.decide(callOf({ args: { command: 'no' } }))).toEqual({
      allowed: false,
      text: DENIED,
      policies: ['b.cedar#stop'],
    });
  });

  test('policies are named by their place in the file, also beyond ten', () => {
    put(
      Array.from(
        { length: 12 },
        (_, index) => `permit (principal == Agent::"${index + 1}", action, resource);`,
      ).join('\n'),
    );
    for (const id of ['1', '2', '10', '12']) {
      expect(policies.decide(callOf({ principalId: id })).policies).toEqual([`p.cedar#${id}`]);
    }
  });

  test('one @id twice does not hide a policy', () => {
    put('@id("a") permit (principal, action, resource);\n@id("a") forbid (principal, action, resource);');
    expect(policies.decide(callOf())).toMatchObject({ allowed: false, policies: ['p.cedar#2'] });
  });

  test.each([
    ['no policy in it', '// nothing', 'No Cedar policies loaded'],
    [
      'a parse error',
      '// Ünïcödé\n\npermit (principal action, resource);',
      'Cedar policy parse error: p.cedar: line 3: unexpected token `action`',
    ],
    [
      'a template',
      'permit (principal == ?principal, action, resource);',
      'Cedar policy parse error: p.cedar: templates',
    ],
    ['not UTF-8', Buffer.from([0xff]), 'policies cannot be read: '],
    [
      'too large',
      '/'.repeat(256 * 1024 + 1),
      'policies cannot be read: p.cedar must have at most 262144 bytes',
    ],
  ])('%s denies every call, with its text', (_what, text, problem) => {
    put('permit (principal, action, resource);', 'a.cedar');
    if (problem.startsWith('No')) unlinkSync(join(folder, 'a.cedar'));
    put(text);
    const decision = policies.decide(callOf({ command: 'add' }));
    expect(decision).toEqual({ allowed: false, text: expect.stringContaining(problem), policies: [] });
    expect(policies.overview.problem).toContain(problem);
  });

  test('a link out of the folder, a folder for a file, and too many files deny', () => {
    put('permit (principal, action, resource);', '../out.cedar');
    symlinkSync('../out.cedar', join(folder, 'link.cedar'));
    expect(policies.decide(callOf()).text).toContain('link.cedar is a link that leaves its folder');
    unlinkSync(join(folder, 'link.cedar'));
    mkdirSync(join(folder, 'dir.cedar'));
    expect(policies.decide(callOf()).text).toContain('policies cannot be read');
    rmSync(join(folder, 'dir.cedar'), { recursive: true });
    for (let index = 0; index < 65; index += 1) put('', `${index}.cedar`);
    expect(policies.decide(callOf()).text).toBe('at most 64 policy files, found 65');
  });

  test('a dangling link denies: it may have been a prohibition', () => {
    put('permit (principal, action, resource);');
    symlinkSync('nowhere', join(folder, 'gone.cedar'));
    expect(policies.decide(callOf()).allowed).toBe(false);
  });
});

test('C7 a policy for the bare tool name does not permit its commands', () => {
  expect(permits('resource.tool_name == "report_writer"')).toBe(false);
});

test('C8 a policy that errs neither permits nor forbids; the denial says so', () => {
  expect(permits('context.nothing == 1')).toBe(false);
  expect(policies.decide(callOf()).text).toMatch(
    /^Cedar denied action 'drive' for agent person-1: p\.cedar#1: /,
  );
  put(
    'permit (principal, action, resource);\nforbid (principal, action, resource) when { resource.nothing };',
  );
  expect(policies.decide(callOf()).allowed).toBe(true);
});

test('the sample policies of the report writer', () => {
  put(`permit (principal, action == Reports::Writer::Action::"drive", resource is Reports::Writer)
when { ["report_writer.add", "report_writer.look"].contains(resource.tool_name) };
permit (principal, action == Reports::Writer::Action::"drive", resource is Reports::Writer)
when {
  resource.tool_name == "report_writer.save" && context.has_human_approval &&
  context.approved_fingerprint == context.invocation.fingerprint &&
  context.invocation.resolved.session_finalizes &&
  context.invocation.resolved.command_boundary.filesystem.create == ["data/report.csv"]
};
forbid (principal, action, resource)
when {
  context has invocation && context.invocation.resolved has command_boundary &&
  context.invocation.resolved.command_boundary.tier == "none"
};`);
  const allowed = (changes: Parameters<typeof callOf>[0]) => policies.decide(callOf(changes)).allowed;
  expect([
    allowed({ command: 'add' }),
    allowed({ command: 'look' }),
    allowed({}),
    allowed({ approved: true }),
    allowed({ approved: true, tier: 'none' }),
    allowed({ command: 'add', tier: 'none' }),
  ]).toEqual([true, true, false, true, false, false]);
});

test('a change is told, with the policies that hold then', async () => {
  const seen: PolicyOverview[] = [];
  policies.on('changed', (overview) => seen.push(overview));
  put('forbid (principal, action, resource);', 'mine.cedar');
  await vi.waitFor(() => expect(seen.at(-1)?.files.map(({ name }) => name)).toEqual(['mine.cedar']), {
    timeout: 5000,
  });
});

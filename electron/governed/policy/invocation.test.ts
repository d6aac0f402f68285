import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bindingOf, cedarNamesOf, contractDigestOf, fingerprintOf, invocationOf } from './invocation.ts';
import { callOf, FILES } from './testing/calls.ts';

test('C2 with [tool.cedar]', () => {
  expect(cedarNamesOf(callOf())).toEqual({
    action: { type: 'Reports::Writer::Action', id: 'drive' },
    resource: { type: 'Reports::Writer', id: 'report_writer.save' },
  });
});

test('C2 without [tool.cedar]', () => {
  expect(cedarNamesOf(callOf({ cedar: null }))).toEqual({
    action: { type: 'Action', id: 'tool_call::report_writer.save' },
    resource: { type: 'Resource', id: 'default' },
  });
});

test('A3 the invocation is what is shown and decided on', () => {
  expect(invocationOf(callOf())).toEqual({
    action: {
      ToolCall: { call_id: 'call-1', name: 'report_writer.save', arguments: '{"command":"save-report"}' },
    },
    arguments: { command: 'save-report' },
    contract: {
      name: 'report_writer.save',
      version: '1.0.0',
      digest: contractDigestOf(callOf()),
      action_type: 'Reports::Writer::Action',
      action_id: 'drive',
      resource_type: 'Reports::Writer',
      resource_id: 'report_writer.save',
      requires_approval: true,
    },
    resolved: {
      command_boundary: { tier: 'bubblewrap', filesystem: FILES },
      execution_transport: 'selected_pty_boundary',
      session_finalizes: true,
      filesystem_lifetime: 'terminal_session',
    },
  });
});

describe('A3 the fingerprint changes with everything that an approval is about', () => {
  const base = callOf();
  test.each([
    ['the call id', callOf({ callId: 'call-2' })],
    ['the command text', callOf({ args: { command: 'save-report ' } })],
    ['an argument', callOf({ args: { command: 'save-report', ticket: 'T-1' } })],
    ['the command', callOf({ command: 'add' })],
    ['the file of the manifest', callOf({ manifestDigest: 'b'.repeat(64) })],
    ['the boundary', callOf({ tier: 'none' })],
    ['an input', callOf({ files: { ...FILES, read: [{ path: 'a', bytes: 1, sha256: 'c'.repeat(64) }] } })],
    ['the folder of the output', callOf({ files: { ...FILES, output_parent_identity: ['1', '3'] } })],
    ['no files', callOf({ files: null })],
    ['the version', callOf({ version: '1.0.1' })],
    ['a custom type of an argument', callOf({ maxInteractions: 39 })],
  ])('%s', (_what, other) => {
    expect(fingerprintOf(other)).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(fingerprintOf(other)).not.toBe(fingerprintOf(base));
  });

  test('but not with who makes the call, nor with the order of keys', () => {
    expect(fingerprintOf(callOf({ principalId: 'other' }))).toBe(fingerprintOf(base));
    const files = Object.fromEntries(Object.entries(FILES).reverse()) as typeof FILES;
    expect(fingerprintOf(callOf({ files }))).toBe(fingerprintOf(base));
  });

  test('two lines never share one', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, two) => {
        const same =
          fingerprintOf(callOf({ args: { command: one } })) ===
          fingerprintOf(callOf({ args: { command: two } }));
        expect(same).toBe(one === two);
      }),
    );
  });

  test('half a surrogate pair has none', () => {
    expect(() => fingerprintOf(callOf({ args: { command: '\ud800' } }))).toThrow();
  });
});

test('E2 E3 another run, context or configuration is another binding', () => {
  const bound = { run: 'r', context: { a: 1, b: 2 }, configuration: null };
  expect(bindingOf(bound)).toBe(bindingOf({ configuration: null, context: { b: 2, a: 1 }, run: 'r' }));
  for (const other of [{ run: 's' }, { context: {} }, { configuration: {} }]) {
    expect(bindingOf({ ...bound, ...other })).not.toBe(bindingOf(bound));
  }
});

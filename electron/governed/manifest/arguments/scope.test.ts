import { expect, test } from 'vitest';
import { Scope } from './scope.ts';

function scope(text: string): Scope {
  const parsed = Scope.parse(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

const PROJECT = scope(`[scope]
targets = ["10.0.1.0/24", "2001:db8::/32", "build.local"]
domains = ["example.com", "*.test.example.com"]
exclude = ["10.0.1.1", "10.0.1.128/25", "db.test.example.com"]
`);

test.each([
  ['10.0.1.2', true],
  ['10.0.1.1', false],
  ['10.0.1.200', false],
  ['10.0.2.2', false],
  ['10.0.1.32/28', true],
  ['10.0.1.0/24', false],
  ['10.0.0.0/16', false],
  ['::ffff:10.0.1.2', true],
  ['::ffff:10.0.1.1', false],
  ['2001:db8:1::1', true],
  ['2001:db9::', false],
  ['example.com', true],
  ['EXAMPLE.com', true],
  ['example.com.', false],
  ['www.example.com', false],
  ['a.b.test.example.com', true],
  ['test.example.com', false],
  ['eviltest.example.com', false],
  ['db.test.example.com', false],
  ['build.local', true],
  ['', false],
])('scope: %s is within: %s', (target, expected) => {
  expect(PROJECT.contains(target)).toBe(expected);
});

test.each([
  ['x = ', 1],
  ['[scope]\ntargets = "10.0.0.1"', 2],
  ['[scope]\ndomains = ["a b"]', 1],
  ['[scope]\ntargets = ["10.0.0.0/40"]', 1],
])('scope: %j cannot be used', (text, line) => {
  expect(Scope.parse(text)).toMatchObject({ ok: false, error: { line } });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patternEngine } from './pattern-engine.ts';
import { RustPattern } from './rust-pattern.ts';

function compiled(source: string): RustPattern {
  const pattern = RustPattern.compile(source);
  if (!pattern.ok) throw new Error(pattern.error);
  return pattern.value;
}

test.each([
  ['[', 'unclosed character class'],
  ['(', 'unclosed group'],
  ['a)|(b', 'unopened group'],
  ['(?!a)', 'look-around, including look-ahead and look-behind, is not supported'],
  ['(a)\\1', 'backreferences are not supported'],
  ['\\w{1000}{1000}', 'Compiled regex exceeds size limit of 10485760 bytes.'],
])('%s does not compile, with the reason of the engine', (source, reason) => {
  expect(RustPattern.compile(source)).toEqual({ ok: false, error: reason });
});

test('an engine that fails is left for another one, and its failure is no reason', () => {
  const broken = patternEngine();
  Object.defineProperty(broken, 'RRegex', {
    value: class {
      constructor() {
        throw new WebAssembly.RuntimeError('unreachable');
      }
    },
  });
  expect(RustPattern.compile('a')).toEqual({
    ok: false,
    error: 'it takes more memory to compile than there is',
  });
  expect(compiled('a').matchesWhole('a')).toBe(true);
  expect(patternEngine()).not.toBe(broken);
});

test.each(['cat [\\w./-]+', '^cat [\\w./-]+$', '(?m)^cat [\\w./-]+$'])(
  'B23 %s matches whole texts only',
  (source) => {
    const pattern = compiled(source);
    expect(pattern.matchesWhole('cat a')).toBe(true);
    for (const text of [
      'cat a; id',
      'cat a\nid',
      'cat a\r',
      'cat a\n',
      '\ncat a',
      'cat a\u2028id',
      'cat a && id',
      ' cat a',
    ]) {
      expect([text, pattern.matchesWhole(text)]).toEqual([text, false]);
    }
  },
);

test('(?i), (?P<name>…) and (?<name>…) are those of Rust', () => {
  expect(compiled('(?i)HOST (?P<target>[a-z.]+)').group('host example.com', 'target')).toBe('example.com');
  expect(compiled('(?<target>x)?y').group('y', 'target')).toBeNull();
  expect(compiled('a|(?P<target>b)').hasGroup('target')).toBe(true);
  expect(compiled('a').hasGroup('target')).toBe(false);
});

test('B23 an alternation stays inside the anchors', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const text = `${before}b${after}`;
      expect(compiled('a|b|c').matchesWhole(text)).toBe(before === '' && after === '');
    }),
  );
});

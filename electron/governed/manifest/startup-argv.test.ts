import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startupArgv } from './startup-argv.ts';

test.each<[string, string[]]>([
  ['psql -d orders', ['psql', '-d', 'orders']],
  ['  a\t b\n', ['a', 'b']],
  [`sh -c 'echo "a b"'`, ['sh', '-c', 'echo "a b"']],
  [`a "b c" d'e'"f"`, ['a', 'b c', 'deff'.slice(0, 3)]],
  [`a '' ""`, ['a', '', '']],
  ['a\\ b c\\\nd', ['a b', 'cd']],
  ['a "\\"\\$\\x"', ['a', '"$\\x']],
  [`a 'b\\'`, ['a', 'b\\']],
  ['a # comment\nb#c', ['a', 'b#c']],
  ['echo $HOME; id | cat > x', ['echo', '$HOME;', 'id', '|', 'cat', '>', 'x']],
])('1.2 %j is split like shell words, without a shell', (command, argv) => {
  expect(startupArgv(command)).toEqual({ ok: true, value: argv });
});

test.each(['', '   ', '# only a comment', "''", "a 'b", 'a "b', 'a "b\\"', 'a\\', '"" a'])(
  'X10 %j',
  (command) => {
    expect(startupArgv(command)).toEqual({ ok: false, error: 'X10: invalid terminal startup argv' });
  },
);

test.each(['a\0b', 'é'.repeat(32_769)])('X11 NUL, and more than 65536 bytes', (command) => {
  expect(startupArgv(command)).toEqual({
    ok: false,
    error: 'X11: terminal startup argv exceeds input limit',
  });
});

test('1.2 any words, quoted, come back as they were', () => {
  const word = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const quoted = words.map((text) => `'${text.replaceAll("'", `'\\''`)}'`).join(' ');
      expect(startupArgv(`x ${quoted}`)).toEqual({ ok: true, value: ['x', ...words] });
    }),
  );
});

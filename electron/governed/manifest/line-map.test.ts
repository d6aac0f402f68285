import { expect, test } from 'vitest';
import { LineMap } from './line-map.ts';

const TEXT = `# a = 1
a = 1 # b = 2
"quoted.key" = '''
x = 1
[no]
''' # end
b.c."d\\u0065" = [ # [x]
  "]", { y = 1,
    z = 2 },
]
[t . u]
k = """
"" \\" [n]
m = 1"""
n = { p = { q = "}" }, r = 3 }
[[list]]
v = 1
[[list]]
v = 1979-05-27T07:32:00Z
w = ""
end = true`;

test.each<[(string | number)[], number | null]>([
  [['a'], 2],
  [['quoted.key'], 3],
  [['x'], null],
  [['b'], 7],
  [['b', 'c', 'de'], 7],
  [['b', 'c', 'de', 1, 'z'], 9],
  [['t', 'u'], 11],
  [['t', 'u', 'k'], 12],
  [['t', 'u', 'm'], 11],
  [['t', 'u', 'n', 'p', 'q'], 15],
  [['t', 'u', 'n', 'r'], 15],
  [['list', 0, 'v'], 17],
  [['list', 1, 'v'], 19],
  [['list', 1, 'end'], 21],
  [['list', 1, 'missing'], 18],
])('the key %j is on line %j, or its table is', (path, line) => {
  expect(new LineMap(TEXT).lineOf(path)).toBe(line);
  expect(new LineMap(TEXT.replaceAll('\n', '\r\n')).lineOf(path)).toBe(line);
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatArgv, parseArgv } from './argv.ts';

it('reads arguments as people write them', () => {
  expect(parseArgv('/bin/bash --norc  -i')).toEqual(['/bin/bash', '--norc', '-i']);
  expect(parseArgv(`sh -c 'echo "hi there"'`)).toEqual(['sh', '-c', 'echo "hi there"']);
  expect(parseArgv(`a"b c"d '' "\\"\\\\"`)).toEqual(['ab cd', '', '"\\']);
  expect(parseArgv('  ')).toEqual([]);
});

it('does not guess where a quote should end', () => {
  expect(parseArgv('sh -c "echo')).toBeNull();
});

it('brings back every list it wrote', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (argv) => {
      expect(parseArgv(formatArgv(argv))).toEqual(argv);
    }),
  );
});

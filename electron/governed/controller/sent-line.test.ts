import { expect, it } from 'vitest';
import { sentLine } from './sent-line.ts';

it.each([
  ['add coffee,3', 'add coffee,3'],
  ['look \u202e\u200bup', 'look <U+202E><U+200B>up'],
  ['a\x1b[2Jb', 'a<ESC>[2Jb'],
])('B24 %j is shown as %j', (command, shown) => {
  expect(Buffer.from(sentLine(command)).toString()).toBe(`\x1b[1m${shown}\x1b[22m\r\n`);
});
